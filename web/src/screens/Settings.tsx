// How the page looks, sounds and helps.
import { LANGUAGES } from '../lib/language';
import { tablesText } from '../lib/format';
import { session, signOut } from '../lib/net';
import { BOARDS, PIECES, settings, type Settings } from '../lib/settings';
import { play, wakeSound } from '../lib/sound';
import { rich, t } from '../lib/text';
import { useStore } from '../lib/use';
import { Choice, Switch, useTitle } from '../parts/common';
import { KeyList } from '../parts/Shortcuts';

// Four squares with a knight and a queen, as the board would look.
function Swatch(props: { board: Settings['board']; pieces: Settings['pieces']; word: string }) {
  return (
    <span class="swatch-pick">
      <span class="swatch" data-board={props.board} data-pieces={props.pieces} aria-hidden="true">
        <piece class="knight white" />
        <piece class="queen black" />
        <piece class="pawn black" />
        <piece class="king white" />
      </span>
      <span>{props.word}</span>
    </span>
  );
}

export function SettingsScreen() {
  useTitle(t('nav.settings'));
  const value = useStore(settings);
  const set = (part: Partial<Settings>) => settings.update(part);
  return (
    <div class="page narrow settings">
      <header class="page-head">
        <h1>{t('nav.settings')}</h1>
        <p>{t('settings.about')}</p>
      </header>
      <section class="card form-card" aria-labelledby="looks">
        <h2 id="looks">{t('settings.looks')}</h2>
        <label class="field language">
          <span>{t('settings.language')}</span>
          <select value={value.language} onChange={(event) => set({ language: event.currentTarget.value })}>
            <option value="auto">{t('settings.languageAuto')}</option>
            {Object.entries(LANGUAGES).map(([name, word]) => (
              <option key={name} value={name} lang={name}>
                {word}
              </option>
            ))}
          </select>
        </label>
        <Choice
          legend={t('settings.theme')}
          name="theme"
          value={value.theme}
          options={[
            ['auto', t('theme.auto'), t('theme.autoNote')],
            ['light', t('theme.light')],
            ['dark', t('theme.dark')],
          ]}
          onChange={(theme) => set({ theme })}
        />
        <Choice
          legend={t('board')}
          name="board"
          value={value.board}
          options={BOARDS.map((name) => {
            const word = t(`board.${name}`);
            return [name, <Swatch board={name} pieces={value.pieces} word={word} />, word] as const;
          })}
          onChange={(board) => set({ board })}
        />
        <Choice
          legend={t('settings.pieces')}
          name="pieces"
          value={value.pieces}
          options={PIECES.map((name) => {
            const word = t(`pieces.${name}`);
            return [name, <Swatch board={value.board} pieces={name} word={word} />, word] as const;
          })}
          onChange={(pieces) => set({ pieces })}
        />
        <Switch label={t('settings.coordinates')} value={value.coordinates} onChange={(coordinates) => set({ coordinates })} />
        <Switch label={t('settings.dests')} value={value.dests} onChange={(dests) => set({ dests })} />
        <Switch
          label={t('settings.animation')}
          note={t('settings.animationNote')}
          value={value.animation}
          onChange={(animation) => set({ animation })}
        />
      </section>
      <section class="card form-card" aria-labelledby="play-settings">
        <h2 id="play-settings">{t('settings.playing')}</h2>
        <Switch label={t('settings.autoQueen')} value={value.autoQueen} onChange={(autoQueen) => set({ autoQueen })} />
        <Switch
          label={t('settings.confirmResign')}
          value={value.confirmResign}
          onChange={(confirmResign) => set({ confirmResign })}
        />
        <Switch
          label={t('settings.sound')}
          value={value.sound}
          onChange={(sound) => {
            set({ sound });
            wakeSound();
          }}
        />
        <label class="field">
          <span>{t('settings.volume')}</span>
          <input
            type="range"
            min={0}
            max={1}
            step={0.1}
            value={value.volume}
            disabled={!value.sound}
            onChange={(event) => {
              set({ volume: Number(event.currentTarget.value) });
              play('move');
            }}
          />
        </label>
      </section>
      <section class="card form-card" aria-labelledby="reader-settings">
        <h2 id="reader-settings">{t('settings.reader')}</h2>
        <Switch
          label={t('settings.readerMode')}
          note={t('settings.readerNote')}
          value={value.reader}
          onChange={(reader) => set({ reader })}
        />
      </section>
      <section class="card form-card" aria-labelledby="keys">
        <h2 id="keys">{t('shortcuts')}</h2>
        <KeyList />
      </section>
      <About />
      {value.password && (
        <section class="card form-card" aria-labelledby="session">
          <h2 id="session">{t('settings.session')}</h2>
          <button type="button" onClick={() => void signOut()}>
            {t('signOut')}
          </button>
        </section>
      )}
    </div>
  );
}

// The program that serves the page, and the endgame tables it plays with.
function About() {
  const hello = useStore(session);
  if (!hello) return null;
  const tables = hello.tables ? tablesText(hello.tables) : null;
  return (
    <section class="card form-card about" aria-labelledby="about">
      <h2 id="about">{t('settings.program')}</h2>
      <p>{hello.program}</p>
      <p>
        {t('tables')}: {tables ? tables.found : SITE ? t('tables.none') : rich('tables.option', { option: <code>castellan web --syzygy</code> })}
      </p>
      {tables?.refused && (
        <p class="bad" lang="en">
          {tables.refused}
        </p>
      )}
    </section>
  );
}

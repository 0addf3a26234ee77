// The frame of the page: navigation, announcements and the state of the connection.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import './styles/main.css';
import { spoken, tell, toast } from './lib/announce';
import { ratingText } from './lib/format';
import { shownKind } from './lib/game';
import { connect, link, retryNow, session, startBeating } from './lib/net';
import type { Game } from './lib/protocol';
import { listenForPaste } from './lib/paste';
import { route } from './lib/router';
import { applySettings, settings } from './lib/settings';
import { wakeSound } from './lib/sound';
import { applyLanguage, fromService, language, rich, t, type Key } from './lib/text';
import { useStore } from './lib/use';
import { useKeys } from './parts/common';
import { Crest, Icon, type IconName } from './parts/Icon';
import { Shortcuts } from './parts/Shortcuts';
import { AnalyseScreen } from './screens/Analyse';
import { GameScreen } from './screens/Game';
import { GamesScreen } from './screens/Games';
import { LabScreen } from './screens/Lab';
import { OpeningsScreen } from './screens/Openings';
import { PlayersScreen } from './screens/Players';
import { PlayScreen } from './screens/Play';
import { PuzzlesScreen } from './screens/Puzzles';
import { ReviewScreen } from './screens/Review';
import { SettingsScreen } from './screens/Settings';
import { StatisticsScreen } from './screens/Statistics';
import { TrainScreen } from './screens/Train';
import { WatchScreen } from './screens/Watch';

type PlaceKey = Extract<Key, `nav.${string}`>;

const PLACES: { name: string; icon: IconName; word: PlaceKey; also?: string[] }[] = [
  { name: 'play', icon: 'play', word: 'nav.play' },
  { name: 'train', icon: 'learn', word: 'nav.train' },
  { name: 'analyse', icon: 'analyse', word: 'nav.analyse' },
  { name: 'games', icon: 'games', word: 'nav.games', also: ['review', 'statistics'] },
  { name: 'puzzles', icon: 'puzzle', word: 'nav.puzzles' },
  { name: 'openings', icon: 'openings', word: 'nav.openings' },
  { name: 'watch', icon: 'watch', word: 'nav.watch' },
  { name: 'lab', icon: 'lab', word: 'nav.lab' },
  { name: 'players', icon: 'players', word: 'nav.players' },
  { name: 'settings', icon: 'settings', word: 'nav.settings' },
];

// A game belongs where games of its kind are found.
const KIND_PLACES: Record<Game['kind'], string> = { play: 'play', watch: 'watch', import: 'games' };

// On a narrow screen these stand in the bar, the rest behind "More".
const IN_BAR = 4;

const isHere = (place: (typeof PLACES)[number], here: string): boolean => place.name === here || !!place.also?.includes(here);

function Places({ here, close }: { here: string; close?: () => void }) {
  const due = useStore(session)?.due ?? 0;
  return (
    <>
      {PLACES.map((place, i) => {
        const current = isHere(place, here);
        return (
          <a
            key={place.name}
            href={`#/${place.name}`}
            class={`place${i >= IN_BAR ? ' beyond' : ''}`}
            aria-current={current ? 'page' : undefined}
            title={t(place.word)}
            onClick={close}
          >
            <Icon name={place.icon} />
            <span>{t(place.word)}</span>
            {place.name === 'train' && due > 0 && (
              <b class="due">
                <span aria-hidden="true">{due}</span>
                <span class="unseen">{t('due', { n: due })}</span>
              </b>
            )}
          </a>
        );
      })}
    </>
  );
}

function Navigation({ here }: { here: string }) {
  const hello = useStore(session);
  const kind = useStore(shownKind);
  const [more, setMore] = useState(false);
  useEffect(() => setMore(false), [here]);
  const place = here === 'game' ? KIND_PLACES[kind] : here;
  const beyond = PLACES.slice(IN_BAR).some((one) => isHere(one, place));
  return (
    <nav class={`rail${more ? ' open' : ''}`} aria-label="Castellan">
      <a class="brand" href="#/play" aria-label={t('nav.home')}>
        <Crest />
        <span>Castellan</span>
      </a>
      <Places here={place} />
      <button type="button" class={`place more${beyond ? ' current' : ''}`} aria-expanded={more} onClick={() => setMore(!more)}>
        <Icon name="more" />
        <span>{t('nav.more')}</span>
      </button>
      {hello && (
        <a class="me" href="#/players" title={t('nav.players')}>
          <Icon name="user" />
          <span>
            <b>{hello.player.name}</b>
            <small>{ratingText(hello.player)}</small>
          </span>
        </a>
      )}
    </nav>
  );
}

function Screen() {
  const { name, id } = useStore(route);
  switch (name) {
    case 'game':
      return id === null ? <PlayScreen /> : <GameScreen id={id} />;
    case 'review':
      return id === null ? <GamesScreen /> : <ReviewScreen key={id} id={id} />;
    case 'train':
      return <TrainScreen id={id} />;
    case 'analyse':
      return <AnalyseScreen />;
    case 'watch':
      return <WatchScreen />;
    case 'lab':
      return <LabScreen />;
    case 'games':
      return <GamesScreen />;
    case 'players':
      return <PlayersScreen />;
    case 'settings':
      return <SettingsScreen />;
    case 'puzzles':
      return <PuzzlesScreen />;
    case 'openings':
      return <OpeningsScreen />;
    case 'statistics':
      return <StatisticsScreen />;
    default:
      return <PlayScreen />;
  }
}

function ServerGone() {
  return (
    <>
      <b>{t('server.gone')}</b> {rich('server.gone.text', { command: <code>castellan web</code> })}
    </>
  );
}

// Said plainly, but only when it lasts longer than a blink.
function ConnectionNotice() {
  const state = useStore(link);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (state.state === 'open') {
      setLate(false);
      return;
    }
    const timer = setTimeout(() => setLate(true), 600);
    return () => clearTimeout(timer);
  }, [state.state]);
  const loading = SITE && state.state === 'connecting'; // the module, once
  if (state.state === 'open' || state.state === 'password' || loading || !late) return null;
  return (
    <div class="gone" role="alert">
      <Icon name="gone" />
      <p>
        {state.state === 'lost' && state.why ? <b>{state.why}</b> : <ServerGone />}
      </p>
      <button type="button" onClick={retryNow}>
        {t('retry')}
      </button>
    </div>
  );
}

function Password({ wrong }: { wrong: boolean }) {
  const [word, setWord] = useState('');
  return (
    <main class="login">
      <Crest />
      <h1>Castellan</h1>
      <form
        class="card form-card"
        onSubmit={(event) => {
          event.preventDefault();
          void connect(word);
        }}
      >
        <label class="field">
          <span>{t('password')}</span>
          <input
            type="password"
            autocomplete="current-password"
            value={word}
            onInput={(event) => setWord(event.currentTarget.value)}
          />
        </label>
        {wrong && (
          <p class="bad" role="alert">
            {t('password.wrong')}
          </p>
        )}
        <button type="submit" class="primary">
          {t('signIn')}
        </button>
      </form>
    </main>
  );
}

function Voice() {
  const { text, turn } = useStore(spoken);
  return (
    <div class="unseen" aria-live="polite" aria-atomic="true" id="voice">
      <span key={turn}>{text}</span>
    </div>
  );
}

function Toast() {
  const shown = useStore(toast);
  if (!shown) return null;
  return (
    <div class={`toast${shown.bad ? ' bad' : ''}`} aria-hidden="true">
      {shown.text}
    </div>
  );
}

// Another language draws everything anew.
function Page() {
  return <App key={useStore(language)} />;
}

function App() {
  const state = useStore(link);
  const here = useStore(route);
  const warning = useStore(session)?.warning;
  const [shortcuts, setShortcuts] = useState(false);
  useKeys({
    '?': () => setShortcuts(true),
    m: () => {
      const { sound } = settings.get();
      settings.update({ sound: !sound });
      tell(sound ? t('sound.off') : t('sound.on'));
    },
  });
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [here.name, here.id]);
  if (state.state === 'password') return <Password wrong={state.wrong} />;
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {t('skip')}
      </a>
      <Navigation here={here.name} />
      <main id="main" tabIndex={-1}>
        {warning && (
          <p class="warning" role="alert">
            <b>{t('cannotStore')}</b> {fromService(warning)}
          </p>
        )}
        <Screen />
      </main>
      {shortcuts && <Shortcuts close={() => setShortcuts(false)} />}
      <div class="notices">
        <Toast />
        <ConnectionNotice />
      </div>
      <Voice />
    </>
  );
}

applySettings();
addEventListener('pointerdown', wakeSound);
addEventListener('keydown', wakeSound);
void applyLanguage().finally(() => render(<Page />, document.getElementById('app')!));
void connect();
startBeating();
listenForPaste();

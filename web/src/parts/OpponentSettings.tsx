// The settings of a historical program, built from the table that the service sends.
import { useId } from 'preact/hooks';
import type { Opponent, OpponentSetting } from '../lib/protocol';
import { fromService, t } from '../lib/text';

export type Settings = Record<string, string>;

type Field = { setting: OpponentSetting; value: string; onChange: (value: string) => void };

function ChoiceField({ setting, value, onChange }: Field) {
  return (
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {setting.words.map((word) => (
        <option key={word}>{word}</option>
      ))}
    </select>
  );
}

function NumberField({ setting, value, onChange }: Field) {
  return (
    <input
      type="number"
      min={setting.min}
      max={setting.max}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

// Words and files are suggested; several files are joined by '+'. The service checks what is typed.
function FilesField({ setting, value, onChange, files }: Field & { files: string[] }) {
  const list = useId();
  return (
    <>
      <input
        type="text"
        list={list}
        spellcheck={false}
        placeholder={fromService(setting.accepted)}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {[...setting.words, ...files].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

// Only what differs from the defaults is kept, so that an unchanged opponent keeps its rating.
export function OpponentSettings(props: {
  opponent: Opponent | undefined;
  files: string[];
  settings: Settings;
  onChange: (settings: Settings) => void;
  open?: boolean;
}) {
  const { opponent, files, settings } = props;
  if (!opponent || opponent.settings.length === 0) return null;
  const change = (setting: OpponentSetting, value: string) => {
    const { [setting.key]: _, ...rest } = settings;
    props.onChange(value === setting.default || value === '' ? rest : { ...rest, [setting.key]: value });
  };
  const changed = Object.keys(settings).length > 0;
  return (
    <details class="opponent-settings" open={props.open || changed}>
      <summary>{t('opponent.settings', { name: fromService(opponent.title) })}</summary>
      {opponent.settings.map((setting) => {
        const value = settings[setting.key] ?? setting.default;
        const field = { setting, value, onChange: (next: string) => change(setting, next) };
        return (
          <label key={setting.key} class="field">
            <span>
              {setting.key}: {fromService(setting.help)}
            </span>
            {setting.kind === 'choice' && <ChoiceField {...field} />}
            {setting.kind === 'number' && <NumberField {...field} />}
            {setting.kind === 'files' && <FilesField {...field} files={files} />}
          </label>
        );
      })}
      {changed && (
        <p class="lead-in">
          {t('opponent.unrated')}{' '}
          <button type="button" onClick={() => props.onChange({})}>
            {t('reset')}
          </button>
        </p>
      )}
    </details>
  );
}

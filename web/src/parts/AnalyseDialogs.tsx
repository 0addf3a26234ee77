// Dialogs of the analysis board: paste, export, and the tags of the game.
import { useEffect, useRef, useState } from 'preact/hooks';
import { tell, tellError } from '../lib/announce';
import { START_FEN } from '../lib/chess';
import { ask } from '../lib/net';
import { readPasted } from '../lib/paste';
import { positionPicture } from '../lib/picture';
import { saveFile } from '../lib/save';
import { t } from '../lib/text';
import { treePgn, type Node, type Tree } from '../lib/tree';
import { CopyField, Dialog } from './common';
import { Icon } from './Icon';

export function PasteDialog({ close, openTree }: { close: () => void; openTree: (tree: Tree, at?: Node) => void }) {
  const [text, setText] = useState('');
  const [why, setWhy] = useState('');
  const wanted = useRef<string | null>(null); // the text being read, until it is changed or the dialog is closed
  useEffect(() => () => void (wanted.current = null), []);
  const open = async (event: Event) => {
    event.preventDefault();
    wanted.current = text;
    try {
      const { tree, at } = await readPasted(text);
      if (wanted.current !== text) return;
      openTree(tree, at);
      close();
    } catch (refused) {
      if (wanted.current === text) setWhy((refused as Error).message);
    }
  };
  const change = (next: string) => {
    wanted.current = null;
    setText(next);
  };
  return (
    <Dialog title={t('paste.title')} onClose={close}>
      <form onSubmit={open}>
        <label class="field">
          <span>{t('paste.field')}</span>
          <textarea rows={10} spellcheck={false} value={text} onInput={(event) => change(event.currentTarget.value)} />
        </label>
        {why && (
          <p class="bad" role="alert">
            {why}
          </p>
        )}
        <div class="buttons end">
          <button type="button" class="plain" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="primary" disabled={!text.trim()}>
            {t('open')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function ExportDialog({ tree, fen, close }: { tree: Tree; fen: string; close: () => void }) {
  const pgn = treePgn(tree, START_FEN);
  const store = () =>
    ask('pgn.import', { pgn }).then(
      (answer) => tell(answer.imported ? t('export.saved') : (answer.errors[0] ?? t('export.notSaved'))),
      tellError,
    );
  return (
    <Dialog title={t('export')} onClose={close}>
      <CopyField label={t('export.fen')} text={fen} rows={2} />
      <CopyField label={t('export.pgn')} text={pgn} rows={9} />
      <div class="buttons end">
        <button type="button" class="plain" onClick={() => void store()}>
          {t('export.save')}
        </button>
        <button
          type="button"
          class="plain"
          onClick={() =>
            positionPicture({ fen, last: null }, 'white').then((blob) => saveFile('position.png', 'image/png', blob), tellError)
          }
        >
          {t('export.picture')}
        </button>
        <button type="button" onClick={() => saveFile('analysis.pgn', 'application/x-chess-pgn', pgn)}>
          <Icon name="download" /> {t('downloadPgn')}
        </button>
      </div>
    </Dialog>
  );
}

const TAGS = ['White', 'Black', 'WhiteElo', 'BlackElo', 'Event', 'Site', 'Date', 'Round', 'Annotator'] as const;

// Tags that are not in the list are shown as PGN writes them.
const tagText = (name: string): string => {
  const known = TAGS.find((one) => one === name);
  return known ? t(`tag.${known}`) : name;
};

export function TagsDialog(props: {
  tree: Tree;
  change: (tags: Record<string, string>, result: string) => void;
  close: () => void;
}) {
  const [tags, setTags] = useState({ ...props.tree.tags });
  const [result, setResult] = useState(props.tree.result);
  const save = (event: Event) => {
    event.preventDefault();
    const kept = Object.entries(tags).filter(([, value]) => value.trim() !== '');
    props.change(Object.fromEntries(kept), result);
    props.close();
  };
  const others = Object.keys(tags).filter((name) => !(TAGS as readonly string[]).includes(name) && name !== 'Result');
  return (
    <Dialog title={t('tags.title')} onClose={props.close}>
      <form onSubmit={save} class="tags-form">
        {[...TAGS, ...others].map((name) => (
          <label key={name} class="field">
            <span>{tagText(name)}</span>
            <input
              type="text"
              maxLength={200}
              value={tags[name] ?? ''}
              onInput={(event) => setTags({ ...tags, [name]: event.currentTarget.value })}
            />
          </label>
        ))}
        <label class="field">
          <span>{t('result')}</span>
          <select value={result} onChange={(event) => setResult(event.currentTarget.value)}>
            {['*', '1-0', '0-1', '1/2-1/2'].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <div class="buttons end">
          <button type="button" class="plain" onClick={props.close}>
            {t('cancel')}
          </button>
          <button type="submit" class="primary">
            {t('save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

// What can be taken from a game or its review: PGN, annotated PGN, a page, and pictures.
import { useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { reviewedTree } from '../lib/annotate';
import { squaresOf, START_FEN } from '../lib/chess';
import { gamePicture, positionPicture } from '../lib/picture';
import type { Color, Game, ReviewResult } from '../lib/protocol';
import { reviewReport } from '../lib/report';
import { saveFile } from '../lib/save';
import { t } from '../lib/text';
import { treePgn } from '../lib/tree';
import { Dialog } from './common';
import { Icon } from './Icon';
import { moveNumberText } from './MoveList';

function sceneAt(game: Game, ply: number) {
  const move = game.moves[ply - 1];
  if (!move) return { fen: game.start_fen, last: null };
  return { fen: move.fen, last: squaresOf(move.uci, game.moves[ply - 2]?.fen ?? game.start_fen) };
}

export function ReviewExport(props: {
  game: Game;
  result: ReviewResult | undefined;
  ply: number;
  bottom: Color;
  close: () => void;
}) {
  const { game, result, ply, bottom } = props;
  const [busy, setBusy] = useState(false);
  const make = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (why) {
      tellError(why);
    }
    setBusy(false);
  };
  const name = `game-${game.id}`;
  const numberOf = (at: number) => moveNumberText(game.start_fen, at - 1);
  const annotated = () => treePgn(reviewedTree(game, result!), START_FEN);
  const rows: [string, string, () => Promise<void>, boolean][] = [
    [
      t('export.annotated'),
      t('export.annotated.note'),
      async () => saveFile(`${name}.pgn`, 'application/x-chess-pgn', annotated()),
      Boolean(result),
    ],
    [
      t('export.report'),
      t('export.report.note'),
      async () => saveFile(`${name}.html`, 'text/html', await reviewReport(game, result!, numberOf, annotated())),
      Boolean(result),
    ],
    [t('export.position'), 'PNG', async () => saveFile(`${name}-${ply}.png`, 'image/png', await positionPicture(sceneAt(game, ply), bottom)), true],
    [
      t('export.animated'),
      t('export.animated.note'),
      async () => {
        const scenes = Array.from({ length: game.moves.length + 1 }, (_, at) => sceneAt(game, at));
        saveFile(`${name}.gif`, 'image/gif', await gamePicture(scenes, bottom));
      },
      game.moves.length > 0,
    ],
  ];
  return (
    <Dialog title={t('export')} onClose={props.close}>
      <ul class="export-list">
        <li>
          <a class="button" href={`/api/pgn?game=${game.id}`} download>
            <Icon name="download" /> PGN
          </a>
          <small>{t('export.pgn.note')}</small>
        </li>
        {rows.map(([title, note, work, enabled]) => (
          <li key={title}>
            <button type="button" disabled={busy || !enabled} onClick={() => void make(work)}>
              <Icon name="download" /> {title}
            </button>
            <small>{note}</small>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

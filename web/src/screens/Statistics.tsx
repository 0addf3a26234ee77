// How the player's games went: by opening, opponent, colour and time control.
import { useEffect, useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { controlText, plural } from '../lib/format';
import { ask, link, session } from '../lib/net';
import type { StatsGroup, Stats } from '../lib/protocol';
import { useStore } from '../lib/use';
import { Empty, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';

export function StatisticsScreen() {
  useTitle('Statistics');
  const { state } = useStore(link);
  const player = useStore(session)?.player;
  const [stats, setStats] = useState<Stats | null>(null);
  useEffect(() => {
    if (state === 'open' && player) ask('games.stats', {}).then(setStats, tellError);
  }, [state, player?.id]);
  if (!stats) return <div class="page" aria-busy="true" />;
  const total = stats.colors.reduce((sum, group) => sum + group.games, 0);
  if (!total) {
    return (
      <Empty icon="level" title="No finished games yet">
        <p>Play or import games to see your statistics here.</p>
        <a class="button primary" href="#/play">
          Play
        </a>
        <a class="button plain" href="#/games">
          My games
        </a>
      </Empty>
    );
  }
  return (
    <div class="page statistics">
      <header class="page-head with-actions">
        <div>
          <h1>Statistics</h1>
          <p>
            {player?.name}, {plural(total, 'finished game')}
          </p>
        </div>
        <a class="button" href="#/games">
          <Icon name="games" /> My games
        </a>
      </header>
      <div class="stats-grid">
        <Group title="Colour" groups={stats.colors} name={(name) => (name === 'white' ? 'White' : 'Black')} />
        <Group title="Time control" groups={stats.clocks} name={clockName} />
        <Group title="Opponents" groups={stats.opponents} name={(name) => name || 'Unknown'} search />
        <Group title="Openings" groups={stats.openings} name={(name) => name || 'Other'} search />
      </div>
    </div>
  );
}

function clockName(name: string): string {
  const [initial, increment] = name.split('+').map(Number);
  return name ? controlText({ initial: initial! * 1000, increment: increment! * 1000 }) : 'No clock';
}

function Group(props: { title: string; groups: StatsGroup[]; name: (name: string) => string; search?: boolean }) {
  return (
    <section class="card stats-card">
      <table class="stats-table">
        <caption>{props.title}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">{props.title}</span>
            </th>
            <th scope="col">Games</th>
            <th scope="col">Won, drawn, lost</th>
            <th scope="col">Score</th>
          </tr>
        </thead>
        <tbody>
          {props.groups.map((group) => {
            const words = `${group.won} won, ${group.drawn} drawn, ${group.lost} lost`;
            return (
              <tr key={group.name}>
                <th scope="row">
                  {props.search && group.name ? (
                    <a href={`#/games?search=${encodeURIComponent(group.name)}`}>{props.name(group.name)}</a>
                  ) : (
                    props.name(group.name)
                  )}
                </th>
                <td>{group.games}</td>
                <td>
                  <span class="results mine" role="img" aria-label={words} title={words}>
                    <i class="won" style={{ flexGrow: group.won }} />
                    <i class="draws" style={{ flexGrow: group.drawn }} />
                    <i class="lost" style={{ flexGrow: group.lost }} />
                  </span>
                </td>
                <td>{Math.round(((group.won + group.drawn / 2) / group.games) * 100)} %</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

// How the player's games went: by opening, opponent, colour and time control.
import { useEffect, useState } from 'preact/hooks';
import { tellError } from '../lib/announce';
import { colorText, controlText, percentText, titleText } from '../lib/format';
import { ask, link, session } from '../lib/net';
import type { StatsGroup, Stats } from '../lib/protocol';
import { numberText, t } from '../lib/text';
import { useStore } from '../lib/use';
import { Empty, useTitle } from '../parts/common';
import { Icon } from '../parts/Icon';

export function StatisticsScreen() {
  useTitle(t('statistics'));
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
      <Empty icon="level" title={t('stats.none')}>
        <p>{t('stats.about')}</p>
        <a class="button primary" href="#/play">
          {t('nav.play')}
        </a>
        <a class="button plain" href="#/games">
          {t('nav.games')}
        </a>
      </Empty>
    );
  }
  return (
    <div class="page statistics">
      <header class="page-head with-actions">
        <div>
          <h1>{t('statistics')}</h1>
          <p>
            {player?.name}, {t('stats.games', { n: total })}
          </p>
        </div>
        <a class="button" href="#/games">
          <Icon name="games" /> {t('nav.games')}
        </a>
      </header>
      <div class="stats-grid">
        <Group title={t('stats.color')} groups={stats.colors} name={(name) => colorText(name === 'white' ? 'white' : 'black')} />
        <Group title={t('stats.clock')} groups={stats.clocks} name={clockName} />
        <Group title={t('stats.opponents')} groups={stats.opponents} name={(name) => titleText(name) || t('unknown')} search />
        <Group title={t('nav.openings')} groups={stats.openings} name={(name) => name || t('other')} search />
      </div>
    </div>
  );
}

function clockName(name: string): string {
  const [initial, increment] = name.split('+').map(Number);
  return name ? controlText({ initial: initial! * 1000, increment: increment! * 1000 }) : t('clock.none');
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
            <th scope="col">{t('gamesHead')}</th>
            <th scope="col">{t('stats.wdl')}</th>
            <th scope="col">{t('stats.score')}</th>
          </tr>
        </thead>
        <tbody>
          {props.groups.map((group) => {
            const words = t('stats.counts', { won: group.won, drawn: group.drawn, lost: group.lost });
            return (
              <tr key={group.name}>
                <th scope="row">
                  {props.search && group.name ? (
                    <a href={`#/games?search=${encodeURIComponent(group.name)}`}>{props.name(group.name)}</a>
                  ) : (
                    props.name(group.name)
                  )}
                </th>
                <td>{numberText(group.games)}</td>
                <td>
                  <span class="results mine" role="img" aria-label={words} title={words}>
                    <i class="won" style={{ flexGrow: group.won }} />
                    <i class="draws" style={{ flexGrow: group.drawn }} />
                    <i class="lost" style={{ flexGrow: group.lost }} />
                  </span>
                </td>
                <td>{percentText(((group.won + group.drawn / 2) / group.games) * 100)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

// The programs that can be played, grouped by the program of which they are variants.
import type { Opponent, Opponents } from '../lib/protocol';
import { fromService, t } from '../lib/text';

export const CASTELLAN = 'castellan'; // no historical program, so it has a card of its own

// The list is long, so it comes last in the document.
export function Programs(props: { opponents: Opponents | null; chosen: string | null; choose: (name: string) => void }) {
  const { opponents, chosen } = props;
  return (
    <section class="historical-programs" aria-labelledby="historical-programs">
      <h2 id="historical-programs">{t('programs')}</h2>
      <p class="lead-in">{t('programs.about')}</p>
      {familiesOf((opponents?.opponents ?? []).filter((one) => one.name !== CASTELLAN)).map((family) => (
        <section key={family.name} class="family" aria-labelledby={`family-${family.name}`}>
          <h3 id={`family-${family.name}`}>
            {family.title} <small>{family.year}</small>
          </h3>
          <div class="cards">
            {family.members.map((one) => (
              <OpponentCard
                key={one.name}
                opponent={one}
                hasYear={one.year !== family.year}
                chosen={one.name === chosen}
                choose={() => props.choose(one.name)}
              />
            ))}
          </div>
        </section>
      ))}
      {!opponents && (
        <div class="cards">
          {[0, 1, 2, 3].map((i) => (
            <div key={i} class="card pick ghost" aria-hidden="true" />
          ))}
        </div>
      )}
    </section>
  );
}

interface Family {
  name: string;
  title: string;
  year: number;
  members: Opponent[];
}

// One program and its variants, in the service's order; the program itself comes first.
function familiesOf(opponents: Opponent[]): Family[] {
  const names = [...new Set(opponents.map((one) => one.family))];
  return names.map((name) => {
    const head = opponents.find((one) => one.name === name)!;
    const members = opponents.filter((one) => one.family === name && one !== head);
    return { name, title: fromService(head.title).split(',')[0]!, year: head.year, members: [head, ...members] };
  });
}

export function OpponentCard(props: { opponent: Opponent; hasYear: boolean; chosen: boolean; choose: () => void }) {
  const { opponent } = props;
  return (
    <label class={`card pick${props.chosen ? ' chosen' : ''}`}>
      <input class="unseen" type="radio" name="opponent" checked={props.chosen} onChange={props.choose} />
      <span class="pick-head">
        <b>{fromService(opponent.title)}</b>
        {props.hasYear && <span class="year">{opponent.year}</span>}
      </span>
      <span class="style">{fromService(opponent.style)}</span>
      <span class="rating">{opponent.rating === null ? t('unrated') : opponent.rating}</span>
    </label>
  );
}

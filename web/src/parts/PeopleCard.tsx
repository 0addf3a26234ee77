// A game against another person: at this screen, or with an invitation.
import { settings } from '../lib/settings';
import { useStore } from '../lib/use';
import { Choice, Switch } from './common';
import { Icon } from './Icon';

export interface People {
  kind: 'people';
  here: boolean;
  name: string; // of the second player at this screen
}

export const PEOPLE: People = { kind: 'people', here: true, name: '' };

export function PeopleCard(props: { chosen: boolean; people: People; change: (people: People) => void }) {
  const { chosen, people, change } = props;
  const { rotate } = useStore(settings);
  return (
    <div class={`card pick people${chosen ? ' chosen' : ''}`}>
      <label>
        <input class="unseen" type="radio" name="opponent" checked={chosen} onChange={() => change(people)} />
        <span class="pick-head">
          <Icon name="players" />
          <b>Two people</b>
        </span>
        <span class="style">At this screen, or from two browsers with an invitation link. Unrated.</span>
      </label>
      {chosen && (
        <>
          <Choice
            legend="Where"
            hidden
            name="where"
            value={people.here ? 'here' : 'invited'}
            options={[
              ['here', 'At this screen'],
              ['invited', 'By invitation'],
            ]}
            onChange={(where) => change({ ...people, here: where === 'here' })}
          />
          {people.here && (
            <>
              <label class="field">
                <span>Name of the second player</span>
                <input
                  type="text"
                  maxLength={40}
                  placeholder="Guest"
                  value={people.name}
                  onInput={(event) => change({ ...people, name: event.currentTarget.value })}
                />
              </label>
              <Switch
                label="Rotate the board to the side to move"
                value={rotate}
                onChange={(on) => settings.update({ rotate: on })}
              />
            </>
          )}
        </>
      )}
    </div>
  );
}

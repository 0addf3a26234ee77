// A game against another person: at this screen, or with an invitation.
import { settings } from '../lib/settings';
import { t } from '../lib/text';
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
          <b>{t('people')}</b>
        </span>
        <span class="style">{t('people.about')}</span>
      </label>
      {chosen && (
        <>
          <Choice
            legend={t('people.where')}
            hidden
            name="where"
            value={people.here ? 'here' : 'invited'}
            options={[
              ['here', t('people.here')],
              ['invited', t('people.invited')],
            ]}
            onChange={(where) => change({ ...people, here: where === 'here' })}
          />
          {people.here && (
            <>
              <label class="field">
                <span>{t('people.second')}</span>
                <input
                  type="text"
                  maxLength={40}
                  placeholder={t('people.guest')}
                  value={people.name}
                  onInput={(event) => change({ ...people, name: event.currentTarget.value })}
                />
              </label>
              <Switch
                label={t('people.rotate')}
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

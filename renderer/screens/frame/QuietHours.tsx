import { Checkbox, TextInput } from '@mantine/core';
import { type QuietHours as Hours, isTimeOfDay } from '../../../shared/model/plain-date.ts';
import { useAppContext } from '../../app/desk.ts';
import { preferences } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enNotifications as texts } from '../../messages/en-news.ts';

const NIGHT: Hours = { from: '20:00', to: '07:00' };

/** When no notes of the system may pop up, for everybody who uses Adslate on this computer. */
export function QuietHours() {
  const { actions, queries } = useAppContext();
  const stored = useQuery(preferences).data;
  if (stored === undefined) return null;
  const { quietHours } = stored;
  const keep = (hours: Hours | null): void => {
    void actions.remember({ quietHours: hours }).then(() => queries.refetch(preferences.key));
  };
  const time = (end: 'from' | 'to', hours: Hours) => (
    <TextInput
      size="xs"
      type="time"
      aria-label={`${texts.quiet}: ${texts[end]}`}
      key={hours[end]}
      defaultValue={hours[end]}
      onBlur={({ currentTarget: { value } }) => {
        if (isTimeOfDay(value) && value !== hours[end]) keep({ ...hours, [end]: value });
      }}
    />
  );
  return (
    <div className="news-quiet">
      <Checkbox
        size="xs"
        checked={quietHours !== null}
        label={texts.quiet}
        description={texts.quietText}
        onChange={(event) => keep(event.currentTarget.checked ? NIGHT : null)}
      />
      {quietHours !== null && (
        <span className="news-hours">
          {time('from', quietHours)}
          <span aria-hidden="true">–</span>
          {time('to', quietHours)}
        </span>
      )}
    </div>
  );
}

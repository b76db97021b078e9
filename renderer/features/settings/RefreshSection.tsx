import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { OutdatedSummary } from '../../../shared/api/sync.ts';
import { type ActionContext, refresh } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { appTexts } from '../../app/texts.ts';
import ui from '../../components/ui.module.css';

const texts = {
  lead: 'Reads these campaigns and everything in them from the service. Your changes are kept.',
  hours: 'Refresh if older than (hours)',
  hoursHint: 'Enter 0 to refresh every campaign.',
  bad: 'Enter a whole number from 0 to 8,760.',
  counting: 'Counting…',
  count: (campaigns: number, all: number) =>
    campaigns === 0
      ? all === 0
        ? 'No campaigns yet.'
        : all === 1
          ? '1 campaign is up to date.'
          : `All ${countText(all)} campaigns are up to date.`
      : `${countText(campaigns)} of ${plural(all, 'campaign')}`,
  why: {
    old: (n: number) => `${countText(n)} not refreshed in that time`,
    touched: (n: number) => `${countText(n)} with unsynced changes`,
    inReview: (n: number) => `${countText(n)} in review`,
    processing: (n: number) => `${countText(n)} with a processing video`,
    keptFresh: (n: number) => `${countText(n)} with the label "Keep fresh"`,
  },
  several: 'A campaign can be counted in several lines. It is refreshed once.',
  label: 'To refresh a campaign every time, add the label "Keep fresh" to it.',
  all: 'Refresh all',
  run: (campaigns: number) => (campaigns === 0 ? 'Nothing to refresh' : `Refresh ${plural(campaigns, 'campaign')}`),
} as const;

/** One day: after it the service has new metrics for most rows. */
const HOURS = '24';
const HOURS_MAX = 8760;

const hoursOf = (text: string): number | null => {
  const hours = /^\d{1,4}$/.test(text.trim()) ? Number(text) : null;
  return hours !== null && hours <= HOURS_MAX ? hours : null;
};

/** The campaigns that may be out of date, counted before anything is read. */
export function RefreshSection({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const some = useActions(outdatedActions);
  const [typed, setTyped] = useState(HOURS);
  const hours = hoursOf(typed);
  const counted = useDeferredValue(hours);
  const asked = useQuery(useApi().sync.outdated.queryOptions({ input: { workspaceId, hours: counted ?? 0 } }));
  // The button refreshes what was counted for these hours.
  const outdated = hours === null || counted !== hours ? undefined : asked.data;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (hours !== null && outdated !== undefined && outdated.campaigns > 0)
          void some.refreshOutdated(hours, outdated.campaigns);
      }}
    >
      <Stack gap="sm">
        <p className={ui['quiet']}>{texts.lead}</p>
        <TextInput
          size="xs"
          inputMode="numeric"
          label={texts.hours}
          description={texts.hoursHint}
          error={hours === null ? texts.bad : null}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div role="status">
          <Problem of={asked.error} />
          {asked.error === null && hours !== null && <Counted outdated={outdated} />}
        </div>
      </Stack>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={() => void actions.refreshAll()}>{texts.all}</Button>
        <Button type="submit" disabled={outdated === undefined || outdated.campaigns === 0}>
          {texts.run(outdated?.campaigns ?? 0)}
        </Button>
      </Group>
    </form>
  );
}

function Counted({ outdated }: { readonly outdated: OutdatedSummary | undefined }) {
  if (outdated === undefined) return <p className={ui['quiet']}>{texts.counting}</p>;
  const { campaigns, all, why } = outdated;
  const reasons = (Object.keys(texts.why) as (keyof typeof why)[]).filter((reason) => why[reason] > 0);
  return (
    <>
      <p>
        <strong>{texts.count(campaigns, all)}</strong>
      </p>
      <ul className={ui['lines']}>
        {reasons.map((reason) => (
          <li key={reason} className={ui['line']}>
            {texts.why[reason](why[reason])}
          </li>
        ))}
      </ul>
      {reasons.length > 1 && <p className={ui['quiet']}>{texts.several}</p>}
      {why.keptFresh === 0 && <p className={ui['quiet']}>{texts.label}</p>}
    </>
  );
}

const outdatedActions = (context: ActionContext) => ({
  /** Reads campaigns that may be out of date: those not read for this many hours, and those that are always read. */
  refreshOutdated: (hours: number, campaigns: number) =>
    refresh(context, appTexts.sync.refreshedSome(campaigns), { outdatedAfterHours: hours }),
});

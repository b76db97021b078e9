import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { OutdatedSummary } from '../../../shared/api/sync.ts';
import { type ActionContext, runAction } from '../../app/actions/action-context.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { en } from '../../texts/en.ts';
import { enRefresh as texts } from '../../texts/en-refresh.ts';
import { errorText } from '../../texts/errors.ts';

/** A day, after which the service shows new figures of most things. */
const HOURS = '24';
const HOURS_MAX = 8760;

const hoursOf = (text: string): number | null => {
  const hours = /^\d{1,4}$/.test(text.trim()) ? Number(text) : null;
  return hours !== null && hours <= HOURS_MAX ? hours : null;
};

/** Which campaigns may be out of date, counted before anything is read. */
export function RefreshDialog({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { store, actions } = useAppContext();
  const some = useActions(outdatedActions);
  const { dismiss } = store.getState();
  const [typed, setTyped] = useState(HOURS);
  const hours = hoursOf(typed);
  const asked = useQuery(
    api.sync.outdated.queryOptions({ input: { workspaceId, hours: useDeferredValue(hours ?? 0) } }),
  );
  const outdated = hours === null ? undefined : asked.data;
  const read = (): void => {
    dismiss();
    if (hours !== null && outdated !== undefined) void some.refreshOutdated(hours, outdated.campaigns);
  };
  return (
    <Modal opened onClose={dismiss} title={texts.title} size={520}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if ((outdated?.campaigns ?? 0) > 0) read();
        }}
      >
        <Stack gap="sm">
          <p className="quiet">{texts.lead}</p>
          <TextInput
            size="xs"
            inputMode="numeric"
            data-autofocus
            label={texts.hours}
            description={texts.hoursHint}
            error={hours === null ? texts.bad : null}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <div role="status">
            {asked.error !== null && <p className="note-error">{errorText(asked.error)}</p>}
            {asked.error === null && hours !== null && <Counted outdated={outdated} />}
          </div>
        </Stack>
        <Group justify="flex-end" mt="md" gap="xs">
          <Button
            onClick={() => {
              dismiss();
              void actions.refreshAll();
            }}
          >
            {texts.all}
          </Button>
          <Button onClick={dismiss}>{en.close}</Button>
          <Button type="submit" variant="filled" disabled={outdated === undefined || outdated.campaigns === 0}>
            {texts.run(outdated?.campaigns ?? 0)}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function Counted({ outdated }: { readonly outdated: OutdatedSummary | undefined }) {
  if (outdated === undefined) return <p className="quiet">{texts.counting}</p>;
  const { campaigns, all, why } = outdated;
  const reasons = (Object.keys(texts.why) as (keyof typeof why)[]).filter((reason) => why[reason] > 0);
  return (
    <>
      <p>
        <strong>{texts.count(campaigns, all)}</strong>
      </p>
      <ul className="lines">
        {reasons.map((reason) => (
          <li key={reason} className="line">
            {texts.why[reason](why[reason])}
          </li>
        ))}
      </ul>
      {reasons.length > 1 && <p className="quiet">{texts.several}</p>}
      {why.keptFresh === 0 && <p className="quiet">{texts.label}</p>}
    </>
  );
}

const outdatedActions = (doing: ActionContext) => ({
  /** Reads the campaigns that may be out of date: those not read for so many hours, and those that are always read. */
  refreshOutdated: async (hours: number, campaigns: number): Promise<boolean> => {
    const refreshed = await runAction(doing, (workspaceId) =>
      doing.connection.client.sync.refresh({ workspaceId, outdatedAfterHours: hours }),
    );
    if (refreshed !== null) doing.notes.tell(en.sync.refreshedSome(campaigns));
    return refreshed !== null;
  },
});

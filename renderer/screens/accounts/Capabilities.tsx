import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { ShownCapability } from '../../../shared/contract/accounts.ts';
import { CAPABILITY_REQUESTS } from '../../../shared/plan/capabilities.ts';
import { commandsOf } from '../../../shared/plan/command-capabilities.ts';
import { NOT_OFFERED } from '../../../shared/plan/offering-text.ts';
import { useAppContext } from '../../app/desk.ts';
import { capabilities } from '../../data/account-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enSettings } from '../../messages/en-settings.ts';
import { errorText } from '../../messages/errors.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

const texts = enSettings.capabilities;
const SWITCHES = [
  ['auto', null],
  ['on', true],
  ['off', false],
] as const;

/** What the deployment offers beyond the documented requests, when that was seen, and what the account uses of it. */
export function Capabilities({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const { data, error } = useQuery(capabilities(workspaceId));
  const [busy, setBusy] = useState(false);
  const probe = async (): Promise<void> => {
    setBusy(true);
    await actions.probeCapabilities(workspaceId);
    setBusy(false);
  };
  return (
    <>
      <Group justify="space-between" align="center" mt="md">
        <h3 className="plain-heading">{texts.title}</h3>
        <Button loading={busy} onClick={() => void probe()}>
          {texts.probe}
        </Button>
      </Group>
      <p className="quiet">{texts.text}</p>
      {error !== null && <p className="note-error">{errorText(error)}</p>}
      {data !== undefined && (
        <table className="diff plain-table" aria-label={texts.title}>
          <thead>
            <tr>
              {texts.headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{texts.documented}</th>
              <td>{texts.states.documented}</td>
              <td />
              <td />
            </tr>
            {data.map((one) => (
              <Row key={one.name} workspaceId={workspaceId} one={one} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Row({ workspaceId, one }: { readonly workspaceId: string; readonly one: ShownCapability }) {
  const { actions } = useAppContext();
  const now = useNow();
  const name = texts.names[one.name];
  const state = one.offered === null ? 'unknown' : one.offered ? 'extension' : 'absent';
  return (
    <tr>
      <th
        scope="row"
        title={[
          CAPABILITY_REQUESTS[one.name],
          ...(one.inUse || commandsOf(one.name).length === 0 ? [] : [NOT_OFFERED]),
        ].join('. ')}
      >
        {name}
      </th>
      <td>{texts.states[state]}</td>
      <td>{one.seenAt === null ? '' : timeText(one.seenAt, now)}</td>
      <td>
        <select
          className="input"
          aria-label={texts.useOf(name)}
          value={SWITCHES.find(([, use]) => use === one.set)?.[0]}
          onChange={(event) => {
            const chosen = SWITCHES.find(([word]) => word === event.target.value);
            if (chosen !== undefined) void actions.setCapability(workspaceId, one.name, chosen[1]);
          }}
        >
          <option value="auto">{texts.auto(one.set === null ? one.inUse : (one.offered ?? false))}</option>
          <option value="on">{texts.on}</option>
          <option value="off">{texts.off}</option>
        </select>
      </td>
    </tr>
  );
}

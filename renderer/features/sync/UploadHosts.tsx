import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UploadHost } from '../../../shared/api/accounts.ts';
import { useActions, useApi } from '../../app/app-context.ts';
import { enAfterSync } from '../../texts/en-sync-followup.ts';
import { syncDialogActions } from './sync-actions.ts';

const text = enAfterSync.hosts;

/** Hosts to which the service wants files sent: each is asked about once, and an answer can be taken back. */
export function UploadHosts({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const hosts = useQuery(api.uploadHosts.list.queryOptions({ input: { workspaceId } })).data ?? [];
  if (hosts.length === 0) return null;
  return (
    <section aria-label={text.title}>
      <h2 className="group-title">{text.title}</h2>
      {hosts.map((host) => (host.state === 'asked' ? <Asked key={host.host} host={host} /> : null))}
      <ul className="lines">
        {hosts.map((host) => (host.state === 'asked' ? null : <Answered key={host.host} host={host} />))}
      </ul>
    </section>
  );
}

/** The host in large letters, in both forms where they differ, and what would go there. Refusing is the safe answer. */
function Asked({ host: { host, shown, files } }: { readonly host: UploadHost }) {
  const actions = useActions(syncDialogActions);
  return (
    <div className="host-asked">
      <p>{text.asked}</p>
      <p className="host-name">{host}</p>
      {shown !== host && <p className="note-warning">{text.written(shown)}</p>}
      <p className="quiet">
        {text.would} {files.map(({ name, bytes }) => text.file(name, bytes)).join(', ')}
      </p>
      <p className="quiet">{text.never}</p>
      <div className="host-answers">
        <Button onClick={() => void actions.answerUploadHost(host, false)}>{text.refuse}</Button>
        <Button onClick={() => void actions.answerUploadHost(host, true)}>{text.allow}</Button>
      </div>
    </div>
  );
}

function Answered({ host: { host, state } }: { readonly host: UploadHost }) {
  const actions = useActions(syncDialogActions);
  return (
    <li className="line">
      <span className="line-text">{host}</span>
      <span className="line-where quiet">{state === 'allowed' ? text.allowed : text.refused}</span>
      <Button aria-label={text.forgetOf(host)} onClick={() => void actions.forgetUploadHost(host)}>
        {text.forget}
      </Button>
    </li>
  );
}

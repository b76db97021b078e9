import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UploadHost } from '../../../shared/api/accounts.ts';
import { useActions, useApi } from '../../app/app-context.ts';
import { bytesText } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';

const texts = {
  hosts: {
    title: 'Upload hosts',
    asked: 'The service requests uploads to a host that is not allowed yet:',
    written: (name: string) => `shown as ${name}`,
    would: 'Files waiting to upload:',
    file: (name: string, bytes: number) => `${name} (${bytesText(bytes)})`,
    never:
      'Only the file is sent, never your credentials. If you do not recognize the host, ask your contact at the retailer.',
    allow: 'Allow host',
    refuse: 'Block host',
    allowed: 'Allowed',
    refused: 'Blocked',
    forget: 'Reset',
    forgetOf: (host: string) => `Reset the decision for ${host}`,
  },
} as const;

const text = texts.hosts;

/** Hosts to which the service wants files sent: each is asked about once, and an answer can be taken back. */
export function UploadHosts({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const hosts = useQuery(api.uploadHosts.list.queryOptions({ input: { workspaceId } })).data ?? [];
  if (hosts.length === 0) return null;
  return (
    <section aria-label={text.title}>
      <h2 className={ui['group-title']}>{text.title}</h2>
      {hosts.map((host) => (host.state === 'asked' ? <Asked key={host.host} host={host} /> : null))}
      <ul className={ui['lines']}>
        {hosts.map((host) => (host.state === 'asked' ? null : <Answered key={host.host} host={host} />))}
      </ul>
    </section>
  );
}

/** The host in large letters, in both forms where they differ, and what would go there. Refusing is the safe answer. */
function Asked({ host: { host, shown, files } }: { readonly host: UploadHost }) {
  const actions = useActions(syncDialogActions);
  return (
    <div className={styles['host-asked']}>
      <p>{text.asked}</p>
      <p className={styles['host-name']}>{host}</p>
      {shown !== host && <p className={ui['note-warning']}>{text.written(shown)}</p>}
      <p className={ui['quiet']}>
        {text.would} {files.map(({ name, bytes }) => text.file(name, bytes)).join(', ')}
      </p>
      <p className={ui['quiet']}>{text.never}</p>
      <div className={styles['host-answers']}>
        <Button onClick={() => void actions.answerUploadHost(host, false)}>{text.refuse}</Button>
        <Button onClick={() => void actions.answerUploadHost(host, true)}>{text.allow}</Button>
      </div>
    </div>
  );
}

function Answered({ host: { host, state } }: { readonly host: UploadHost }) {
  const actions = useActions(syncDialogActions);
  return (
    <li className={ui['line']}>
      <span className={ui['line-text']}>{host}</span>
      <span className={`${ui['line-where']} ${ui['quiet']}`}>{state === 'allowed' ? text.allowed : text.refused}</span>
      <Button aria-label={text.forgetOf(host)} onClick={() => void actions.forgetUploadHost(host)}>
        {text.forget}
      </Button>
    </li>
  );
}

import { Button, Group } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Backup, OpeningNote, RestorePreview } from '../../../shared/api/backups.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { atStart, bytesText, countText, plural, timeText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { takeFocus } from '../../app/pane-focus.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Empty } from '../../components/Empty.tsx';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import styles from './settings.module.css';

const backupsTexts = {
  title: 'Backups',
  intro:
    'Adslate backs up automatically: every 5 minutes while you work, before large imports and before every sync. Each backup is verified.',
  kept: 'All backups of the last 7 days are kept, then one per day for a year. Backups you make yourself are never deleted.',
  where: (workspaceId: string) =>
    `Stored on this computer only, in workspaces/${workspaceId}/backups in the Adslate data folder.`,
  make: 'Back up now',
  made: (size: string) => `Backup created and verified (${size}).`,
  loading: 'Loading backups…',
  none: 'No backups yet',
  noneText: 'Adslate makes the first backup after 5 minutes of work. You can also back up now.',
  noneDamaged: 'The account file was damaged before the first backup.',
  when: 'Created',
  why: 'Reason',
  size: 'Size',
  checked: 'Verified',
  whole: 'Yes',
  actions: 'Actions',
  look: 'Preview restore…',
  lookOf: (when: string) => `Preview restore… Backup of ${when}`,
  reasons: {
    timed: 'Automatic, every 5 minutes',
    'before-import': 'Before an import',
    'before-sync': 'Before a sync',
    'before-restore': 'Before a restore',
    'before-schema': 'Before an Adslate update',
    'by-hand': 'Manual',
  },
  comparing: 'Comparing with current data…',
  of: (when: string) => `Backup of ${when}`,
  same: 'This backup matches the current data. Restoring it would change nothing.',
  kind: 'Rows',
  comingBack: 'Restored',
  going: 'Removed',
  changing: 'Changed',
  what: { 'comes-back': 'restored', goes: 'removed', changes: 'changed' },
  examples: 'Examples',
  parts: 'Restore one campaign',
  partsText:
    'Reverses the edits made in this campaign since the backup, in one step that you can undo. Nothing else changes and nothing is sent.',
  noParts: 'The history does not go back to this backup, so you can only restore all of it.',
  differ: (rows: number) => (rows === 1 ? '1 row differs' : `${countText(rows)} rows differ`),
  asThen: 'Restore campaign',
  asThenOf: (campaign: string) => `Restore ${campaign} from this backup`,
  oneLabel: (campaign: string) => `Restore ${campaign} from a backup`,
  moreCampaigns: (n: number) => `and ${plural(n, 'more campaign')}`,
  safe: 'Adslate backs up the current data first and keeps it. After the restore, the next sync asks about everything that was sent since this backup. Metrics stay as they are.',
  back: 'Back to list',
  restore: 'Restore backup',
  restored: 'Backup restored.',
  notes: 'Notices about this account',
  found: {
    'restored-after-damage': (when: string) =>
      `The account file was damaged, so Adslate restored the backup${when}. Check whether newer edits are missing.`,
    restored: (when: string) => `Backup${when} restored. The next sync asks about everything that was sent since then.`,
    salvaged: () => 'Adslate recovered what it could from the damaged file. Refresh before you sync.',
    'view-only': () =>
      "Read-only: Adslate can't write to the account folder. You can view and export, but not edit or sync.",
    'older-state': () => 'This account file is older than the one you last closed. Refresh before you sync.',
    'other-file': () => 'This is not the account file you last closed. Make sure it is the right account.',
    copied: () =>
      'The account folder was copied, and both copies are on this computer. Choose which one to use; until then nothing is sent.',
  },
  ofTime: (when: string) => ` of ${when}`,
  aside: (place: string) => `The previous file is kept in ${place}.`,
  moved: 'Use this one',
  copied: 'Make this copy read-only',
  damaged: "The account file is damaged and can't be opened.",
  damagedText: 'Restore a backup. If no backup works, recover the data that can still be read.',
  recover: 'Recover data…',
  askRecover: {
    title: 'Recover data from the damaged file?',
    text: 'Adslate copies everything that can still be read into a new file and keeps the damaged one. If you have a backup, restore it instead.',
    keep: 'Cancel',
    button: 'Recover data',
  },
  recoveredRows: (rows: number, lost: number, missingRows: number) =>
    `${plural(rows, 'row')} recovered. ${lost === 0 ? 'Nothing was lost.' : `${plural(lost, 'part')} of the file couldn't be read.`}${missingRows === 0 ? '' : ` About ${plural(missingRows, 'row')} may be missing.`}`,
} as const;

/**
 *   list --Preview restore--> preview --Restore backup, Back to list--> list
 */
export function BackupsSection({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const actions = useActions(backupActions);
  const [chosen, setChosen] = useState<Backup | null>(null);
  const [busy, during] = useBusy();
  const list = useQuery(api.backups.list.queryOptions({ input: { workspaceId } }));
  // A damaged file can't be backed up; the note above the list offers what to do.
  const damaged = isDamaged(useQuery(api.backups.condition.queryOptions({ input: { workspaceId } })).error);
  return (
    <>
      {chosen !== null ? (
        <RestorePanel workspaceId={workspaceId} backup={chosen} onBack={() => setChosen(null)} />
      ) : (
        <>
          <OpeningNotes workspaceId={workspaceId} />
          <p className={ui['quiet']}>
            {backupsTexts.intro} {backupsTexts.kept}
          </p>
          <p className={ui['quiet']}>{backupsTexts.where(workspaceId)}</p>
          <Problem of={list.error} />
          {list.data === undefined && list.error === null && <p className={ui['quiet']}>{backupsTexts.loading}</p>}
          {list.data?.length === 0 && (
            <Empty title={backupsTexts.none} text={damaged ? backupsTexts.noneDamaged : backupsTexts.noneText} />
          )}
          {list.data !== undefined && list.data.length > 0 && <List backups={list.data} onLook={setChosen} />}
          <Group justify="flex-end" mt="md" gap="xs">
            {!damaged && (
              <Button loading={busy} onClick={() => void during(actions.makeBackup())}>
                {backupsTexts.make}
              </Button>
            )}
          </Group>
        </>
      )}
    </>
  );
}

interface ListProps {
  readonly backups: readonly Backup[];
  readonly onLook: (backup: Backup) => void;
}

function List({ backups: list, onLook }: ListProps) {
  const now = useNow();
  return (
    <ScrollBox className={ui['preview-scroll']} label={backupsTexts.title}>
      <table className={`${ui['diff']} ${ui['plain-table']}`}>
        <TableHead
          titles={[backupsTexts.when, backupsTexts.why, backupsTexts.size, backupsTexts.checked]}
          actions={backupsTexts.actions}
        />
        <tbody>
          {list.map((backup) => (
            <tr key={backup.backupId}>
              <td className={ui['numeric']}>{timeText(backup.at, now)}</td>
              <td>{backupsTexts.reasons[backup.reason]}</td>
              <td className={ui['numeric']}>{bytesText(backup.bytes)}</td>
              <td>
                <span className={`${ui['badge']} ${ui['badge-good']}`}>
                  <span aria-hidden="true">✓</span>
                  {backupsTexts.whole}
                </span>
              </td>
              <td>
                <Chip aria-label={backupsTexts.lookOf(timeText(backup.at, now))} onClick={() => onLook(backup)}>
                  {backupsTexts.look}
                </Chip>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** What was found when the account was opened, with the question that main may be waiting for. */
function OpeningNotes({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const actions = useActions(backupActions);
  const { data, error } = useQuery(useApi().backups.condition.queryOptions({ input: { workspaceId } }));
  if (error !== null && !isDamaged(error)) return <Problem of={error} />;
  if (error !== null) {
    const recover = (): void =>
      store.getState().show({ name: 'confirm', ...backupsTexts.askRecover, run: () => void actions.recover() });
    return (
      <section className={`${ui['card']} ${ui['card-error']}`} aria-label={backupsTexts.notes}>
        <p>
          <strong>{backupsTexts.damaged}</strong> {backupsTexts.damagedText}
        </p>
        <Group gap="xs">
          <Button onClick={recover}>{backupsTexts.recover}</Button>
        </Group>
      </section>
    );
  }
  if (data === undefined || data.notes.length === 0) return null;
  return (
    <section aria-label={backupsTexts.notes}>
      {data.notes.map((note) => (
        <Note key={`${note.what} ${note.detail}`} note={note} />
      ))}
    </section>
  );
}

function Note({ note }: { readonly note: OpeningNote }) {
  const actions = useActions(backupActions);
  const now = useNow();
  const when = note.backupAt === null ? '' : backupsTexts.ofTime(timeText(note.backupAt, now));
  return (
    <div className={`${ui['card']} ${ui['card-warning']}`}>
      <p>
        {backupsTexts.found[note.what](when)} {note.setAside !== null && backupsTexts.aside(note.setAside)}
      </p>
      {note.what === 'copied' && (
        <Group gap="xs">
          <Button onClick={() => void actions.settleCopy('moved')}>{backupsTexts.moved}</Button>
          <Button onClick={() => void actions.settleCopy('copied')}>{backupsTexts.copied}</Button>
        </Group>
      )}
    </div>
  );
}

/** The only failure to open that the user can fix here. */
const isDamaged = (error: unknown): boolean =>
  error instanceof ORPCError &&
  error.code === 'NOT_WRITABLE' &&
  (error.data as { readonly why?: string } | undefined)?.why === 'damaged';

interface RestorePanelProps {
  readonly workspaceId: string;
  readonly backup: Backup;
  readonly onBack: () => void;
}

/** A preview of what a restore changes, and its button. The safe button has the focus. */
function RestorePanel({ workspaceId, backup, onBack }: RestorePanelProps) {
  const actions = useActions(backupActions);
  const [busy, during] = useBusy();
  const now = useNow();
  const { data, error } = useQuery(
    useApi().backups.preview.queryOptions({ input: { workspaceId, backupId: backup.backupId } }),
  );
  const isSame = data?.kinds.every(({ comingBack, going, changing }) => comingBack + going + changing === 0) ?? false;
  const restore = async (): Promise<void> => {
    const done = await during(actions.restoreBackup(backup.backupId));
    if (done) onBack();
  };
  return (
    <>
      <h2>
        {backupsTexts.of(timeText(backup.at, now))}{' '}
        <span className={ui['quiet']}>{backupsTexts.reasons[backup.reason]}</span>
      </h2>
      <div aria-live="polite">
        <Problem of={error} />
        {data === undefined && error === null && <p className={ui['quiet']}>{backupsTexts.comparing}</p>}
        {data !== undefined && (isSame ? <p>{backupsTexts.same}</p> : <Figures preview={data} />)}
      </div>
      {data !== undefined && <RestoreParts preview={data} />}
      <p className={ui['quiet']}>{backupsTexts.safe}</p>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button ref={takeFocus} data-back onClick={onBack}>
          {backupsTexts.back}
        </Button>
        {/* A damaged file can't be compared, but a backup can still be restored. */}
        <Button
          color="red"
          variant="outline"
          loading={busy}
          disabled={isSame || (data === undefined && error === null)}
          onClick={() => void restore()}
        >
          {backupsTexts.restore}
        </Button>
      </Group>
    </>
  );
}

function Figures({ preview }: { readonly preview: RestorePreview }) {
  const rows = preview.kinds.filter(({ comingBack, going, changing }) => comingBack + going + changing > 0);
  const total = rows.reduce((sum, { comingBack, going, changing }) => sum + comingBack + going + changing, 0);
  return (
    <>
      <table className={`${ui['diff']} ${ui['plain-table']} ${styles['figure-table']} ${styles['restore-figures']}`}>
        <TableHead titles={[backupsTexts.kind, backupsTexts.comingBack, backupsTexts.going, backupsTexts.changing]} />
        <tbody>
          {rows.map(({ kind, comingBack, going, changing }) => (
            <tr key={kind}>
              <th scope="row">{KIND_NAMES[kind].many}</th>
              <td className={ui['numeric']}>{countText(comingBack)}</td>
              <td className={ui['numeric']}>{countText(going)}</td>
              <td className={ui['numeric']}>{countText(changing)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{backupsTexts.examples}</h2>
      <ScrollBox className={`${ui['preview-scroll']} ${styles['short-scroll']}`} label={backupsTexts.examples}>
        <ul className={ui['lines']}>
          {preview.examples.map(({ kind, id, label, what }) => (
            <li key={`${kind} ${id}`} className={ui['line']}>
              <span className={what === 'goes' ? `${ui['badge']} ${ui['badge-error']}` : ui['badge']}>
                {backupsTexts.what[what]}
              </span>
              <span className={ui['line-text']}>
                <span className={ui['quiet']}>{atStart(KIND_NAMES[kind].one)}</span> {label}
              </span>
            </li>
          ))}
        </ul>
      </ScrollBox>
      {total > preview.examples.length && (
        <p className={ui['quiet']}>{appTexts.sync.more(total - preview.examples.length)}</p>
      )}
    </>
  );
}

/** Campaigns that differ from a backup. Each can be restored alone, as an edit that can be undone. */
function RestoreParts({ preview }: { readonly preview: RestorePreview }) {
  const { actions } = useAppContext();
  const [busy, during] = useBusy();
  const { campaigns, moreCampaigns, moment } = preview;
  if (campaigns.length === 0) return null;
  return (
    <section aria-label={backupsTexts.parts}>
      <h2>{backupsTexts.parts}</h2>
      <p className={ui['quiet']}>{moment === null ? backupsTexts.noParts : backupsTexts.partsText}</p>
      {moment !== null && (
        <ScrollBox className={`${ui['preview-scroll']} ${styles['short-scroll']}`} label={backupsTexts.parts}>
          <ul className={ui['lines']}>
            {campaigns.map(({ campaignId, name, rows }) => (
              <li key={campaignId} className={ui['line']}>
                <span className={ui['line-text']}>{name}</span>
                <span className={ui['quiet']}>{backupsTexts.differ(rows)}</span>
                <Chip
                  disabled={busy}
                  aria-label={backupsTexts.asThenOf(name)}
                  onClick={() => void during(actions.bringBack(moment, { campaignId }, backupsTexts.oneLabel(name)))}
                >
                  {backupsTexts.asThen}
                </Chip>
              </li>
            ))}
          </ul>
        </ScrollBox>
      )}
      {moment !== null && moreCampaigns > 0 && (
        <p className={ui['quiet']}>{backupsTexts.moreCampaigns(moreCampaigns)}</p>
      )}
    </section>
  );
}

/** Actions for backups, and for what was found when the account was opened. */
function backupActions(context: ActionContext) {
  const { client } = context.connection;
  const { toasts } = context;
  return {
    makeBackup: async () => {
      const made = await runAction(context, (workspaceId) => client.backups.make({ workspaceId }));
      if (made !== null) toasts.tell(backupsTexts.made(bytesText(made.bytes)));
    },
    /** Replaces the account with a backup; everything on screen is read again once main has opened it. */
    restoreBackup: async (backupId: string) => {
      const restored = await runAction(context, (workspaceId) => client.backups.restore({ workspaceId, backupId }));
      if (restored !== null) toasts.tell(backupsTexts.restored);
      return restored !== null;
    },
    recover: async () => {
      const report = await runAction(context, (workspaceId) => client.backups.recover({ workspaceId }));
      if (report !== null) toasts.tell(backupsTexts.recoveredRows(report.rows, report.lostRanges, report.lostRows));
    },
    settleCopy: (which: 'moved' | 'copied') =>
      runAction(context, (workspaceId) => client.backups.settle({ workspaceId, this: which })),
  };
}

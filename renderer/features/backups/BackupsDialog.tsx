import { Button, Group, Modal } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Backup, OpeningNote, RestorePreview } from '../../../shared/api/backups.ts';
import { type ActionContext, runAction } from '../../app/actions/action-context.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { bytesText, countText, timeText } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import { Empty } from '../../components/Empty.tsx';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { takeFocus } from '../../components/take-focus.ts';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './backups.module.css';
import { backupsTexts } from './text.ts';

/**
 *   list --See what would change--> preview --Put this backup back--> closed
 *                                      \--Back--> list
 */
export function BackupsDialog({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { store } = useAppContext();
  const actions = useActions(backupActions);
  const { dismiss } = store.getState();
  const [chosen, setChosen] = useState<Backup | null>(null);
  const [busy, setBusy] = useState(false);
  const list = useQuery(api.backups.list.queryOptions({ input: { workspaceId } }));
  // Of a file that cannot be opened no backup can be made; the note above the list has the way on.
  const damaged = isDamaged(useQuery(api.backups.condition.queryOptions({ input: { workspaceId } })).error);
  const make = async (): Promise<void> => {
    setBusy(true);
    await actions.makeBackup();
    setBusy(false);
  };
  return (
    <Modal opened onClose={dismiss} title={backupsTexts.title} size={720}>
      {chosen !== null ? (
        <RestorePanel workspaceId={workspaceId} backup={chosen} onBack={() => setChosen(null)} onDone={dismiss} />
      ) : (
        <>
          <OpeningNotes workspaceId={workspaceId} />
          <p className={ui['quiet']}>
            {backupsTexts.intro} {backupsTexts.kept}
          </p>
          <p className={ui['quiet']}>{backupsTexts.where(workspaceId)}</p>
          {list.error !== null && (
            <p className={ui['note-error']} role="alert">
              {errorText(list.error)}
            </p>
          )}
          {list.data === undefined && list.error === null && <p className={ui['quiet']}>{backupsTexts.loading}</p>}
          {list.data?.length === 0 && (
            <Empty title={backupsTexts.none} text={damaged ? backupsTexts.noneDamaged : backupsTexts.noneText} />
          )}
          {list.data !== undefined && list.data.length > 0 && <List backups={list.data} onLook={setChosen} />}
          <Group justify="flex-end" mt="md" gap="xs">
            <Button onClick={dismiss}>{appTexts.close}</Button>
            {!damaged && (
              <Button variant="filled" ref={takeFocus} data-autofocus loading={busy} onClick={() => void make()}>
                {backupsTexts.make}
              </Button>
            )}
          </Group>
        </>
      )}
    </Modal>
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
        <thead>
          <tr>
            <th scope="col">{backupsTexts.when}</th>
            <th scope="col">{backupsTexts.why}</th>
            <th scope="col">{backupsTexts.size}</th>
            <th scope="col">{backupsTexts.checked}</th>
            <th scope="col">
              <span className={ui['spoken-only']}>{backupsTexts.actions}</span>
            </th>
          </tr>
        </thead>
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
                <button
                  type="button"
                  className={ui['chip']}
                  aria-label={backupsTexts.lookOf(timeText(backup.at, now))}
                  onClick={() => onLook(backup)}
                >
                  {backupsTexts.look}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** What was found when the account was opened, with the answer that main waits for where it waits for one. */
function OpeningNotes({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { store } = useAppContext();
  const actions = useActions(backupActions);
  const { data, error } = useQuery(api.backups.condition.queryOptions({ input: { workspaceId } }));
  if (error !== null && !isDamaged(error)) return <p className={ui['note-error']}>{errorText(error)}</p>;
  if (error !== null) {
    const salvage = (): void =>
      store.getState().show({
        name: 'confirm',
        title: backupsTexts.salvageTitle,
        text: backupsTexts.salvageText,
        keep: backupsTexts.salvageKeep,
        button: backupsTexts.salvageButton,
        run: () => void actions.salvage(),
      });
    return (
      <section className={`${ui['card']} ${ui['card-error']}`} aria-label={backupsTexts.notes}>
        <p>
          <strong>{backupsTexts.damaged}</strong> {backupsTexts.damagedText}
        </p>
        <Group gap="xs">
          <Button onClick={salvage}>{backupsTexts.salvage}</Button>
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

/** The one refusal to open that the user can do something about here. */
const isDamaged = (error: unknown): boolean =>
  error instanceof ORPCError &&
  error.code === 'NOT_WRITABLE' &&
  (error.data as { readonly why?: string } | undefined)?.why === 'damaged';

interface RestorePanelProps {
  readonly workspaceId: string;
  readonly backup: Backup;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

/** What putting a backup back would change, and the button that does it. The safe answer has the focus. */
function RestorePanel({ workspaceId, backup, onBack, onDone }: RestorePanelProps) {
  const api = useApi();
  const actions = useActions(backupActions);
  const [busy, setBusy] = useState(false);
  const now = useNow();
  const { data, error } = useQuery(
    api.backups.preview.queryOptions({ input: { workspaceId, backupId: backup.backupId } }),
  );
  const isSame = data?.kinds.every(({ comingBack, going, changing }) => comingBack + going + changing === 0) ?? false;
  const restore = async (): Promise<void> => {
    setBusy(true);
    const done = await actions.restoreBackup(backup.backupId);
    setBusy(false);
    if (done) onDone();
  };
  return (
    <>
      <h3 className={ui['plain-heading']}>
        {backupsTexts.of(timeText(backup.at, now))}{' '}
        <span className={ui['quiet']}>{backupsTexts.reasons[backup.reason]}</span>
      </h3>
      <div aria-live="polite">
        {error !== null && <p className={ui['note-error']}>{errorText(error)}</p>}
        {data === undefined && error === null && <p className={ui['quiet']}>{backupsTexts.comparing}</p>}
        {data !== undefined && (isSame ? <p>{backupsTexts.same}</p> : <Figures preview={data} />)}
      </div>
      {data !== undefined && <RestoreParts preview={data} />}
      <p className={ui['quiet']}>{backupsTexts.safe}</p>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button ref={takeFocus} onClick={onBack}>
          {backupsTexts.back}
        </Button>
        {/* A damaged file cannot be compared; a backup is then what helps, so the button stays. */}
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
        <thead>
          <tr>
            <th scope="col">{backupsTexts.kind}</th>
            <th scope="col">{backupsTexts.comingBack}</th>
            <th scope="col">{backupsTexts.going}</th>
            <th scope="col">{backupsTexts.changing}</th>
          </tr>
        </thead>
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
      <h3 className={ui['plain-heading']}>{backupsTexts.examples}</h3>
      <ScrollBox className={`${ui['preview-scroll']} ${styles['short-scroll']}`} label={backupsTexts.examples}>
        <ul className={ui['lines']}>
          {preview.examples.map(({ kind, id, label, what }) => (
            <li key={`${kind} ${id}`} className={ui['line']}>
              <span className={what === 'goes' ? `${ui['badge']} ${ui['badge-error']}` : ui['badge']}>
                {backupsTexts.what[what]}
              </span>
              <span className={ui['line-text']}>
                <span className={ui['quiet']}>{KIND_NAMES[kind].one}</span> {label}
              </span>
            </li>
          ))}
        </ul>
      </ScrollBox>
      {total > preview.examples.length && (
        <p className={ui['quiet']}>{backupsTexts.more(total - preview.examples.length)}</p>
      )}
    </>
  );
}

/** Campaigns that differ from a backup, each of which can go back alone, as an edit that Ctrl+Z takes back. */
function RestoreParts({ preview }: { readonly preview: RestorePreview }) {
  const { actions } = useAppContext();
  const [busy, setBusy] = useState(false);
  const { campaigns, moreCampaigns, moment } = preview;
  if (campaigns.length === 0) return null;
  const bringBack = async (to: number, campaign: RestorePreview['campaigns'][number]): Promise<void> => {
    setBusy(true);
    await actions.bringBack(to, { campaignId: campaign.campaignId }, backupsTexts.oneLabel(campaign.name));
    setBusy(false);
  };
  return (
    <section aria-label={backupsTexts.parts}>
      <h3 className={ui['plain-heading']}>{backupsTexts.parts}</h3>
      <p className={ui['quiet']}>{moment === null ? backupsTexts.noParts : backupsTexts.partsText}</p>
      {moment !== null && (
        <ScrollBox className={`${ui['preview-scroll']} ${styles['short-scroll']}`} label={backupsTexts.parts}>
          <ul className={ui['lines']}>
            {campaigns.map((campaign) => (
              <li key={campaign.campaignId} className={ui['line']}>
                <span className={ui['line-text']}>{campaign.name}</span>
                <span className={ui['quiet']}>{backupsTexts.differ(campaign.rows)}</span>
                <button
                  type="button"
                  className={ui['chip']}
                  disabled={busy}
                  aria-label={backupsTexts.asThenOf(campaign.name)}
                  onClick={() => void bringBack(moment, campaign)}
                >
                  {backupsTexts.asThen}
                </button>
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

/** The way back: backups, and what to do about what was found when the account was opened. */
interface BackupActions {
  makeBackup(): Promise<boolean>;
  /** Puts a backup in the place of what is here; everything on screen is read anew when main has opened it. */
  restoreBackup(backupId: string): Promise<boolean>;
  salvage(): Promise<boolean>;
  /** Says which of two copies of an account this is. */
  settleCopy(which: 'moved' | 'copied'): Promise<boolean>;
}

function backupActions(doing: ActionContext): BackupActions {
  const { client } = doing.connection;
  const { notes } = doing;
  return {
    makeBackup: async () => {
      const made = await runAction(doing, (workspaceId) => client.backups.make({ workspaceId }));
      if (made !== null) notes.tell(backupsTexts.made(bytesText(made.bytes)));
      return made !== null;
    },
    restoreBackup: async (backupId) => {
      const restored = await runAction(doing, (workspaceId) => client.backups.restore({ workspaceId, backupId }));
      if (restored !== null) notes.tell(backupsTexts.restored);
      return restored !== null;
    },
    salvage: async () => {
      const report = await runAction(doing, (workspaceId) => client.backups.recover({ workspaceId }));
      if (report !== null) notes.tell(backupsTexts.salvaged(report.rows, report.lostRanges, report.lostRows));
      return report !== null;
    },
    settleCopy: async (which) => {
      const settled = await runAction(doing, (workspaceId) => client.backups.settle({ workspaceId, this: which }));
      return settled !== null;
    },
  };
}

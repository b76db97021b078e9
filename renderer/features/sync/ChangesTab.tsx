import { useState } from 'react';
import { CHANGE_STATUSES, type ChangeStatus } from '../../../shared/api/choices.ts';
import type { Change } from '../../../shared/api/workspace.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { fieldName, KIND_NAMES, rowName } from '../../app/field-names.ts';
import { atStart, countText, plural } from '../../app/locale/numbers.ts';
import { PageList } from '../../app/PageList.tsx';
import { Waiting } from '../../app/Problem.tsx';
import { readWhole, usePages } from '../../app/pages.ts';
import { copyText } from '../../app/save-text.ts';
import { useMedia } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Empty } from '../../components/Empty.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import ui from '../../components/ui.module.css';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { AfterReviewList } from './AfterReviewList.tsx';
import styles from './sync.module.css';

const texts = {
  noChanges: 'No changes',
  noChangesText: 'Your edits are listed here with old and new values until you sync them.',
  revert: 'Revert',
  revertAll: 'Revert all',
  discard: 'Delete',
  hold: 'Put on hold',
  release: 'Release',
  was: 'Before',
  is: 'After',
  deleted: 'Deleted',
  held: 'On hold',
  askRevert: {
    title: 'Revert all changes?',
    text: 'Changed fields return to their service values, and rows marked for deletion are kept. New rows do not change. Press Ctrl+Z to undo.',
    keep: 'Keep changes',
    button: 'Revert all',
  },
  findChange: 'Find change',
  noSuchChange: 'No matching changes.',
  copy: 'Copy as text',
  copied: (n: number) => `${plural(n, 'change')} copied`,
  isNew: 'new',
  isDeleted: 'deleted',
  lanes: {
    ready: 'Ready to sync',
    queued: 'Sending',
    'after-video': 'Processing video',
    'after-review': 'After review',
    blocked: 'Needs attention',
    held: 'On hold',
  } as Readonly<Record<ChangeStatus, string>>,
  laneTexts: {
    ready: 'Will be sent with the next sync.',
    queued: 'Sent. Waiting for the response of the service.',
    'after-video': 'Will be sent with the next sync after its video is processed.',
    'after-review': 'Will be sent after the campaign review ends.',
    blocked: "Can't be sent: the row or its parent has an error or a conflict.",
    held: 'On hold. Will not be sent until you release it.',
  } as Readonly<Record<ChangeStatus, string>>,
  laneFilter: 'Filter changes by status',
  lane: (name: string, n: number) => `${name} ${countText(n)}`,
  noneHere: 'No changes with this status.',
} as const;

/** The most lines copied as text. */
const COPIED_MAX = 20_000;

/** Unsynced changes as old and new values by campaign, with their status. Each can be reverted or put on hold. */
export function ChangesTab({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { actions, toasts, store } = useAppContext();
  const [words, setWords] = useState('');
  const [lane, setLane] = useState<ChangeStatus | null>(null);
  const list = usePages(
    (from, count) => api.workspace.changes.queryOptions({ input: { workspaceId, from, count, words, lane } }),
    ({ changes }) => changes,
  );
  const { names } = useMedia(workspaceId);
  const { newest } = list;
  if (newest === undefined) return <Waiting error={list.error} />;
  if (newest.total === 0 && words === '' && lane === null)
    return <Empty title={texts.noChanges} text={texts.noChangesText} />;
  const revertAll = (): void => {
    store.getState().show({ name: 'confirm', ...texts.askRevert, run: () => void actions.revertAll() });
  };
  const copy = async (): Promise<void> => {
    const all = await readWhole(
      (from, count) => api.workspace.changes.call({ workspaceId, from, count, words, lane }),
      ({ changes }) => changes,
      COPIED_MAX,
    );
    const isCopied = await copyText(changesText(all, names));
    if (isCopied) toasts.tell(texts.copied(all.length));
    else toasts.fail(dialogTexts.history.copyFailed);
  };
  return (
    <div className={ui['drawer-body']}>
      <div className={ui['drawer-bar']}>
        <SearchBox label={texts.findChange} value={words} onChange={setWords} />
        <ChangeStatusFilter lanes={newest.lanes} lane={lane} onLane={setLane} />
        <Chip onClick={() => void copy()}>{texts.copy}</Chip>
        <Chip onClick={revertAll}>{texts.revertAll}</Chip>
      </div>
      <AfterReviewList workspaceId={workspaceId} />
      {newest.total === 0 && (
        <p className={`${ui['line']} ${ui['quiet']}`}>{words === '' ? texts.noneHere : texts.noSuchChange}</p>
      )}
      <PageList
        list={list}
        label={appTexts.drawer.changes}
        resetOn={`${workspaceId} ${lane} ${words}`}
        line={(change, index) => (
          <ChangeLine change={change} first={isFirst(list.at(index - 1), change)} media={names} />
        )}
      />
    </div>
  );
}

const isFirst = (before: Change | undefined, change: Change): boolean =>
  before === undefined || groupOf(before) !== groupOf(change);

/** The heading of a change: its campaign, or its kind if it has none. */
const groupOf = (change: Change): string => change.campaignName || KIND_NAMES[change.kind].many;

interface ChangeLineProps {
  readonly change: Change;
  /** True for the first change of a campaign, which shows its name. */
  readonly first: boolean;
  readonly media: MediaNames;
}

/** One difference from the service: row, old and new value, and actions. */
function ChangeLine({ change, first, media }: ChangeLineProps) {
  const { actions, store } = useAppContext();
  const { kind, id, field } = change;
  const text = (value: Change['before']): string => (field === null ? '' : valueText(kind, field, value, media));
  const before = text(change.before) || dialogTexts.sync.emptyValue;
  const after = text(change.after) || dialogTexts.sync.emptyValue;
  return (
    <div
      className={
        change.held ? `${ui['line']} ${styles['diff-line']} ${ui['diff-held']}` : `${ui['line']} ${styles['diff-line']}`
      }
    >
      <span className={first ? styles['diff-campaign'] : `${styles['diff-campaign']} ${styles['diff-again']}`}>
        {groupOf(change)}
      </span>
      <button
        type="button"
        className={`${ui['line-main']} ${styles['diff-what']}`}
        onClick={() => store.getState().reveal(kind, change.campaignId, id, field)}
      >
        <span className={ui['quiet']}>{atStart(KIND_NAMES[kind].one)}</span> {change.label}
      </button>
      {change.what === 'field' ? (
        <span className={styles['diff-values']} title={`${fieldName(field ?? '', kind)}: ${before} → ${after}`}>
          <span className={ui['quiet']}>{fieldName(field ?? '', kind)}</span>
          <del>
            <span className={ui['spoken-only']}>{texts.was} </span>
            {before}
          </del>
          <span aria-hidden="true" className={ui['quiet']}>
            →
          </span>
          <ins>
            <span className={ui['spoken-only']}>{texts.is} </span>
            {after}
          </ins>
        </span>
      ) : (
        <span className={styles['diff-values']}>
          <span
            className={
              change.what === 'new' ? `${ui['badge']} ${ui['badge-good']}` : `${ui['badge']} ${ui['badge-error']}`
            }
          >
            <span aria-hidden="true">{change.what === 'new' ? '+' : '−'}</span>
            {change.what === 'new' ? appTexts.drawer.new : texts.deleted}
          </span>
        </span>
      )}
      <span className={styles['diff-actions']}>
        {change.lane !== 'ready' && (
          <span className={ui['badge']} title={texts.laneTexts[change.lane]}>
            {texts.lanes[change.lane]}
          </span>
        )}
        <Chip onClick={() => void actions.hold([{ kind, id }], !change.held)}>
          {change.held ? texts.release : texts.hold}
        </Chip>
        {change.what === 'new' ? (
          <Chip onClick={() => void actions.remove([{ kind, id }])}>{texts.discard}</Chip>
        ) : (
          <Chip onClick={() => void actions.revert([{ kind, id }], field)}>{texts.revert}</Chip>
        )}
      </span>
    </div>
  );
}

interface LaneFilterProps {
  readonly lanes: Readonly<Record<ChangeStatus, number>>;
  /** The status to show; null for all. */
  readonly lane: ChangeStatus | null;
  readonly onLane: (lane: ChangeStatus | null) => void;
}

/** The number of changes by status. A click filters by it, another click shows all. */
function ChangeStatusFilter({ lanes, lane, onLane }: LaneFilterProps) {
  return (
    <span role="group" aria-label={texts.laneFilter} className={styles['lanes']}>
      {CHANGE_STATUSES.filter((each) => lanes[each] > 0 || each === lane).map((each) => (
        <Chip
          key={each}
          aria-pressed={each === lane}
          title={texts.laneTexts[each]}
          onClick={() => onLane(each === lane ? null : each)}
        >
          {texts.lane(texts.lanes[each], lanes[each])}
        </Chip>
      ))}
    </span>
  );
}

/** Changes as text for a message or a ticket: a heading for each campaign, one line per change. */
function changesText(changes: readonly Change[], media: MediaNames): string {
  const lines: string[] = [];
  let campaign: string | null = null;
  for (const change of changes) {
    if (change.campaignName !== campaign) {
      campaign = change.campaignName;
      lines.push(...(lines.length === 0 ? [] : ['']), campaign === '' ? KIND_NAMES[change.kind].many : campaign);
    }
    lines.push(`- ${rowName(change.kind, change.label)}: ${whatChanged(change, media)}`);
  }
  return lines.join('\n');
}

function whatChanged({ kind, what, field, before, after, held }: Change, media: MediaNames): string {
  const text = (value: Change['before']): string =>
    (field === null ? '' : valueText(kind, field, value, media)) || dialogTexts.sync.emptyValue;
  const said =
    what === 'new'
      ? texts.isNew
      : what === 'deleted'
        ? texts.isDeleted
        : `${fieldName(field ?? '', kind)} ${text(before)} → ${text(after)}`;
  return held ? `${said} (${texts.held.toLowerCase()})` : said;
}

import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { CampaignTemplate } from '../../../shared/api/campaigns.ts';
import type { CompareSide } from '../../../shared/api/compare.ts';
import { WINDOW_MAX } from '../../../shared/api/limits.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Result } from '../../../shared/result.ts';
import { grantFile, type NewRow } from '../../app/actions.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { countText, plural, timeText } from '../../app/locale/numbers.ts';
import { ALL_ROWS, useRows } from '../../app/shared-queries.ts';
import { FilePicker } from '../../components/FilePicker.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './compare.module.css';

const texts = {
  what: (side: string) => `${side} side`,
  is: {
    now: 'As it is now',
    service: 'As on the service',
    moment: 'At an earlier moment',
    account: 'Another account',
    rows: 'A campaign template',
    archive: 'An archive or share file',
    sync: 'The values of a past sync',
  },
  campaign: 'Campaign',
  all: 'All campaigns',
  firstCampaigns: (shown: number, all: number) =>
    `The first ${countText(shown)} of ${countText(all)} campaigns, by name.`,
  listed: (shown: number, all: number) =>
    `The list shows ${countText(shown)} of ${countText(all)} campaigns. Enter part of a name to find the others.`,
  moment: 'After this edit',
  lastEdits: (shown: number, all: number) =>
    `The last ${countText(shown)} of ${countText(all)} edits. The time machine has earlier ones.`,
  oldest: 'Before the oldest edit',
  account: 'Account',
  template: 'Template',
  sync: 'Sync',
  run: (time: string, elements: number) => `${time}, ${plural(elements, 'change')}`,
  file: 'Choose file…',
  nothing: {
    account: 'There is no other account on this computer.',
    rows: 'You have no templates yet. Save one in the form of a new campaign.',
    sync: 'Nothing was sent yet.',
  },
} as const;

type Is = CompareSide['is'];
const KINDS: readonly Is[] = ['now', 'service', 'moment', 'account', 'rows', 'archive', 'sync'];
const NAME = fieldNames('campaign').indexOf('name');

/** The rows that the form of a new campaign creates from a template, or why it can't. */
export type RowsOfTemplate = (template: CampaignTemplate) => Result<readonly NewRow[], { readonly text: string }>;

interface SideChoiceProps {
  readonly workspaceId: string;
  readonly rowsOf: RowsOfTemplate;
  readonly label: string;
  readonly side: CompareSide;
  readonly onChoose: (side: CompareSide) => void;
}

/** Selects one side of a comparison. The choice takes effect once it is complete: with an account, a file or a sync. */
export function SideChoice({ workspaceId, rowsOf, label, side, onChoose }: SideChoiceProps) {
  const [is, setIs] = useState<Is>(side.is);
  const campaignId = 'campaignId' in side ? side.campaignId : null;
  const choose = (next: Is): void => {
    setIs(next);
    if (next === 'now' || next === 'service') onChoose({ is: next, campaignId });
    if (next === 'moment') onChoose({ is: next, step: 0, campaignId });
  };
  const own = { workspaceId, side, onChoose };
  return (
    <section className={styles['side']} aria-label={texts.what(label)}>
      <Select
        size="xs"
        label={texts.what(label)}
        allowDeselect={false}
        data={KINDS.map((value) => ({ value, label: texts.is[value] }))}
        value={is}
        onChange={(value) => value !== null && choose(value)}
      />
      {is === 'moment' && side.is === 'moment' && <MomentChoice {...own} side={side} />}
      {is === 'account' && <AccountChoice {...own} />}
      {is === 'rows' && <TemplateChoice {...own} rowsOf={rowsOf} />}
      {is === 'archive' && <FileChoice {...own} />}
      {is === 'sync' && <SyncChoice {...own} />}
      {(side.is === 'now' || side.is === 'service' || side.is === 'moment') && is === side.is && (
        <CampaignChoice of={workspaceId} value={campaignId} onChoose={(id) => onChoose({ ...side, campaignId: id })} />
      )}
    </section>
  );
}

type RowId = NonNullable<Extract<CompareSide, { is: 'now' }>['campaignId']>;
type ChoiceProps = Pick<SideChoiceProps, 'workspaceId' | 'side' | 'onChoose'>;

interface CampaignChoiceProps {
  readonly of: string;
  readonly value: RowId | null;
  readonly onChoose: (id: RowId | null) => void;
}

const NONE = { rows: [], total: 0 };
/** Campaigns in the list at once, for its speed; a search finds the others. */
const LISTED_MAX = 200;

export function CampaignChoice({ of, value, onChoose }: CampaignChoiceProps) {
  const sort = [{ column: 'name', descending: false }];
  const { rows, total } = useRows(of, { kind: 'campaign', sort }, ALL_ROWS).data ?? NONE;
  return (
    <Select
      size="xs"
      searchable
      clearable
      description={
        total > LISTED_MAX &&
        (total > rows.length ? texts.firstCampaigns(rows.length, total) : texts.listed(LISTED_MAX, total))
      }
      limit={LISTED_MAX}
      label={texts.campaign}
      placeholder={texts.all}
      data={rows.map(({ id, cells }) => ({ value: String(id), label: String(cells[NAME] ?? `#${id}`) }))}
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChoose(rows.find(({ id }) => String(id) === chosen)?.id ?? null)}
    />
  );
}

const NO_STEPS = { steps: [], total: 0 };

function MomentChoice({
  workspaceId,
  side,
  onChoose,
}: ChoiceProps & { readonly side: Extract<CompareSide, { is: 'moment' }> }) {
  const now = useNow();
  const input = { workspaceId, from: 0, count: WINDOW_MAX, words: '' };
  const { steps, total } = useQuery(useApi().workspace.history.queryOptions({ input })).data ?? NO_STEPS;
  return (
    <Select
      size="xs"
      searchable
      description={total > steps.length && texts.lastEdits(steps.length, total)}
      label={texts.moment}
      allowDeselect={false}
      data={[
        ...steps
          .filter(({ undone }) => !undone)
          .map(({ id, at, label }) => ({ value: String(id), label: `${timeText(at, now)}, ${label}` })),
        { value: '0', label: texts.oldest },
      ]}
      value={String(side.step)}
      onChange={(step) => onChoose({ ...side, step: Number(step) })}
    />
  );
}

function AccountChoice({ workspaceId, side, onChoose }: ChoiceProps) {
  const accounts = useQuery(useApi().accounts.list.queryOptions({})).data ?? [];
  const others = accounts.filter((account) => account.workspaceId !== workspaceId);
  const chosen = side.is === 'account' ? side : null;
  if (others.length === 0) return <p className={ui['quiet']}>{texts.nothing.account}</p>;
  return (
    <>
      <Select
        size="xs"
        label={texts.account}
        allowDeselect={false}
        data={others.map((account) => ({ value: account.workspaceId, label: account.name }))}
        value={chosen?.account ?? null}
        onChange={(value) => {
          const account = others.find((other) => other.workspaceId === value)?.workspaceId;
          if (account !== undefined) onChoose({ is: 'account', account, campaignId: null });
        }}
      />
      {chosen !== null && (
        <CampaignChoice
          of={chosen.account}
          value={chosen.campaignId}
          onChoose={(campaignId) => onChoose({ ...chosen, campaignId })}
        />
      )}
    </>
  );
}

function TemplateChoice({ workspaceId, rowsOf, onChoose }: ChoiceProps & Pick<SideChoiceProps, 'rowsOf'>) {
  const { toasts } = useAppContext();
  const [name, setName] = useState<string | null>(null);
  const templates = useQuery(useApi().templates.list.queryOptions({ input: { workspaceId } })).data ?? [];
  if (templates.length === 0) return <p className={ui['quiet']}>{texts.nothing.rows}</p>;
  const choose = (value: string | null): void => {
    const template = templates.find((each) => each.name === value);
    if (template === undefined) return;
    setName(value);
    const rows = rowsOf(template);
    if (!rows.ok) toasts.fail(rows.error.text);
    else {
      const made = rows.value.flatMap(({ kind, values }) =>
        kind === 'media' ? [] : [{ kind, values: { ...values } }],
      );
      onChoose({ is: 'rows', rows: made });
    }
  };
  return (
    <Select
      size="xs"
      label={texts.template}
      allowDeselect={false}
      data={templates.map((template) => template.name)}
      value={name}
      onChange={choose}
    />
  );
}

function FileChoice({ workspaceId, side, onChoose }: ChoiceProps) {
  const app = useAppContext();
  const [fileName, setFileName] = useState('');
  const picker = useRef<HTMLInputElement>(null);
  const take = async (file: File): Promise<void> => {
    const grant = await grantFile(app, file);
    // Another account may be open by now, with a comparison of its own.
    if (grant === null || app.store.getState().workspaceId !== workspaceId) return;
    setFileName(file.name);
    onChoose({ is: 'archive', grant, campaign: null });
  };
  return (
    <>
      <FilePicker
        ref={picker}
        aria-label={texts.file}
        accept=".adslate,.adslate-changes"
        onPick={([file]) => file !== undefined && void take(file)}
      />
      <Button onClick={() => picker.current?.click()}>{texts.file}</Button>
      {side.is === 'archive' && <span className={ui['quiet']}>{fileName}</span>}
    </>
  );
}

function SyncChoice({ workspaceId, side, onChoose }: ChoiceProps) {
  const now = useNow();
  const runs = useQuery(useApi().rollback.runs.queryOptions({ input: { workspaceId } })).data ?? [];
  if (runs.length === 0) return <p className={ui['quiet']}>{texts.nothing.sync}</p>;
  return (
    <Select
      size="xs"
      label={texts.sync}
      allowDeselect={false}
      data={runs.map(({ runId, at, elements }) => ({ value: runId, label: texts.run(timeText(at, now), elements) }))}
      value={side.is === 'sync' ? side.runId : null}
      onChange={(runId) => runId !== null && onChoose({ is: 'sync', runId })}
    />
  );
}

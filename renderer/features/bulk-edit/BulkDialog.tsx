import { Button, Checkbox, Group, Modal, NativeSelect, Progress, SegmentedControl, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, useEffect, useId, useState } from 'react';
import type { BulkPair, BulkPreview, BulkTool } from '../../../shared/api/bulk.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { errorText } from '../../app/error-text.ts';
import { fieldName, KIND_NAMES, wordName } from '../../app/field-names.ts';
import { readCell, readSum } from '../../app/locale/cells.ts';
import { choicesOf } from '../../app/locale/limits.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import { useMedia } from '../../app/shared-queries.ts';
import { rangeOf } from '../../app/store/selection-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { type Column, columnsOf, type MediaNames, valueText } from '../../grid/columns.ts';
import type { OpenView } from '../../grid/window.ts';
import styles from './bulk-edit.module.css';
import { usePreview } from './CampaignChoice.tsx';

const texts = {
  title: 'Bulk edit',
  tool: 'Action',
  tools: {
    set: 'Set a value',
    amount: 'Adjust amounts',
    replace: 'Find and replace',
    append: 'Add text',
    case: 'Change case',
  },
  scope: 'Rows',
  selected: (n: number) => `The ${plural(n, 'selected row')}`,
  view: (n: number) => `All ${plural(n, 'row')} in this view`,
  account: (n: number) => `All ${plural(n, 'row')} in the account`,
  accountUncounted: 'All rows in the account',
  value: 'New value',
  expression: 'Formula',
  expressionHint: '+10%   -0.05   *1.2   1.50',
  min: 'Minimum',
  max: 'Maximum',
  roundTo: 'Round to multiples of',
  rounding: 'Rounding',
  roundings: { nearest: 'Nearest', down: 'Down (truncate)', up: 'Up' },
  find: 'Find',
  replace: 'Replace with',
  matchCase: 'Match case',
  wholeCell: 'Whole cell only',
  isPattern: 'Regular expression',
  patternHint:
    'Supported: . * + ? [ ] ( ) | ^ $. In the replacement, $1 is the first group. Tokens such as [campaign] also work.',
  before: 'Add before',
  after: 'Add after',
  tokens: 'Tokens you can use: [campaign], [keyword], [item], [brand]',
  to: 'Case',
  cases: {
    lower: 'lowercase',
    upper: 'UPPERCASE',
    title: 'Capitalize Each Word',
    sentence: 'Sentence case',
  },
  stop: 'Stop',
  working: (done: number, total: number) => `${countText(done)} of ${plural(total, 'row')}`,
} as const;

/** How many fields stand side by side. A sum has its limits and its rounding in one line below it. */
const GRIDS: Readonly<Record<ToolName, string | undefined>> = {
  set: ui['form-two'],
  amount: ui['form-four'],
  replace: styles['form-three'],
  append: styles['form-three'],
  case: ui['form-two'],
};

/** An open view of every row of a kind in the account: the number main knows it by, and how many rows it has. */
interface AccountView {
  readonly viewId: number;
  readonly length: number;
}

/** Opens such a view while it is wanted and closes it afterwards; null until it is there. */
function useAccountView(workspaceId: string, kind: Kind, wanted: boolean): AccountView | null {
  const { connection, notes } = useAppContext();
  const [view, setView] = useState<AccountView | null>(null);
  useEffect(() => {
    if (!wanted) return;
    const { client } = connection;
    let isOver = false;
    const opening = client.workspace.openView({ workspaceId, view: { kind } });
    opening.then(
      (opened) => {
        if (!isOver) setView(opened);
      },
      (error: unknown) => notes.fail(errorText(error)),
    );
    return () => {
      isOver = true;
      setView(null);
      opening.then(
        ({ viewId }) => void client.workspace.closeView({ workspaceId, viewId }).catch(() => closesWithItsWorkspace()),
        () => neverOpened(),
      );
    };
  }, [connection, notes, workspaceId, kind, wanted]);
  return view;
}

/** A view that cannot be closed now is closed by main together with its workspace. */
const closesWithItsWorkspace = (): void => undefined;
/** The user has been told already. */
const neverOpened = (): void => undefined;

interface BulkDialogProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  /** Tool and field to begin with, when the dialog was opened for one. */
  readonly tool: ToolName;
  readonly field: string;
}

/** One change over the selected rows or the whole view, seen as old and new values before it is made. */
export function BulkDialog({ workspaceId, view, tool: firstTool, field }: BulkDialogProps) {
  const { store, actions, notes } = useAppContext();
  const { dismiss } = store.getState();
  const { kind, campaignId, filter, only } = view.source.request;
  const isNarrowed = campaignId !== null || filter !== '' || only !== 'all';
  const length = view.source.length();
  const [selection] = useState(() => rangeOf(store.getState(), 1));
  const selected = Math.min(selection.bottom, length - 1) - selection.top + 1;
  const [scopeOf, setScopeOf] = useState<'selection' | 'view' | 'account'>(selected < 2 ? 'view' : 'selection');
  const account = useAccountView(workspaceId, kind, scopeOf === 'account');
  const [form, setForm] = useState(() => withTool({ ...EMPTY_FORM, field }, kind, firstTool));
  const [jobId, setJobId] = useState<string | null>(null);
  const progress = useView((s) => (jobId === null ? null : s.tasks[jobId]?.rows));
  const { names } = useMedia(workspaceId);
  const scopeId = useId();

  const tool = toolOf(form, kind);
  const ranges = scopeOf === 'selection' ? [{ from: selection.top, count: selected }] : null;
  const viewId = scopeOf === 'account' ? account?.viewId : view.source.viewId();
  const scope = viewId === undefined ? null : { viewId, ranges };
  const { preview, problem, waiting } = usePreview(scope, tool.ok ? tool.value : null);
  const complaint = tool.ok ? problem : tool.error;
  const cells = preview?.cells ?? 0;

  const apply = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!tool.ok || tool.value === null || scope === null || cells === 0 || jobId !== null) return;
    const job = crypto.randomUUID();
    setJobId(job);
    const done = await actions.applyTool(scope, tool.value, labelOf(form, fieldName(form.field, kind)), job);
    setJobId(null);
    if (done === null) return;
    dismiss();
    notes.tell(appTexts.bulk.done(done.cells));
  };
  return (
    <Modal opened onClose={dismiss} title={`${texts.title}: ${KIND_NAMES[kind].many}`} size={720}>
      <form onSubmit={(event) => void apply(event)} noValidate>
        <SegmentedControl
          fullWidth
          aria-label={texts.tool}
          data={toolsFor(kind).map((value) => ({ value, label: texts.tools[value] }))}
          value={form.tool}
          onChange={(value) => {
            const next = toolsFor(kind).find((each) => each === value);
            if (next !== undefined) setForm((before) => withTool(before, kind, next));
          }}
        />
        <fieldset className={styles['scope']} aria-labelledby={scopeId}>
          <legend id={scopeId} className={ui['spoken-only']}>
            {texts.scope}
          </legend>
          {selected > 0 && (
            <label>
              <input
                type="radio"
                name="scope"
                checked={scopeOf === 'selection'}
                onChange={() => setScopeOf('selection')}
              />{' '}
              {texts.selected(selected)}
            </label>
          )}
          <label>
            <input type="radio" name="scope" checked={scopeOf === 'view'} onChange={() => setScopeOf('view')} />{' '}
            {texts.view(length)}
          </label>
          {isNarrowed && (
            <label>
              <input type="radio" name="scope" checked={scopeOf === 'account'} onChange={() => setScopeOf('account')} />{' '}
              {account === null ? texts.accountUncounted : texts.account(account.length)}
            </label>
          )}
        </fieldset>
        <div className={GRIDS[form.tool]}>
          <NativeSelect
            className={form.tool === 'amount' ? ui['form-half'] : ''}
            label={dialogTexts.bulk.field}
            data={fieldsFor(kind, form.tool).map((column) => ({ value: column.field, label: column.title }))}
            value={form.field}
            onChange={(event) => {
              const next = event.currentTarget.value;
              setForm((before) => ({ ...before, field: next, value: '' }));
            }}
          />
          <ToolFields
            kind={kind}
            form={form}
            onChange={(changes) => setForm((before) => ({ ...before, ...changes }))}
          />
        </div>
        {complaint !== null && (
          <p className={`${ui['note-error']} ${ui['preview-problem']}`} role="alert">
            {complaint}
          </p>
        )}
        <div className={styles['preview-room']}>
          {preview !== null && <PreviewTable preview={preview} media={names} waiting={waiting} />}
        </div>
        {jobId !== null && progress !== null && progress !== undefined && (
          <div className={styles['preview-progress']}>
            <Progress
              value={(100 * progress.done) / Math.max(1, progress.total)}
              aria-label={dialogTexts.bulk.preview}
            />
            <span className={`${ui['quiet']} ${ui['numeric']}`}>{texts.working(progress.done, progress.total)}</span>
          </div>
        )}
        <Group justify="flex-end" mt="sm" gap="xs">
          {jobId === null ? (
            <Button onClick={dismiss}>{dialogTexts.bulk.cancel}</Button>
          ) : (
            <Button onClick={() => void actions.cancelTask(jobId)}>{texts.stop}</Button>
          )}
          <Button type="submit" variant="filled" disabled={cells === 0 || waiting} loading={jobId !== null}>
            {dialogTexts.bulk.apply(cells)}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

interface PreviewTableProps {
  readonly preview: BulkPreview;
  readonly media: MediaNames;
  readonly waiting: boolean;
}

/** Old and new values of the first rows, and what is left alone with its reason. */
function PreviewTable({ preview, media, waiting }: PreviewTableProps) {
  const text = (pair: BulkPair, value: BulkPair['before']): string =>
    pair.field === null ? '' : valueText(pair.kind, pair.field, value, media) || dialogTexts.sync.emptyValue;
  return (
    <section
      className={waiting ? ui['preview-waiting'] : undefined}
      aria-label={dialogTexts.bulk.preview}
      aria-busy={waiting}
    >
      <p className={styles['preview-count']} role="status">
        <strong>{preview.cells === 0 ? dialogTexts.bulk.unchanged : dialogTexts.bulk.cells(preview.cells)}</strong>
        {preview.cells > preview.pairs.length && (
          <span className={ui['quiet']}>{dialogTexts.bulk.examples(preview.pairs.length, preview.cells)}</span>
        )}
      </p>
      {preview.refused.length > 0 && (
        <p className={styles['preview-left']}>
          <span className={ui['grid-mark-warning']}>{dialogTexts.bulk.leftAlone}:</span>{' '}
          {preview.refused.map(({ why, rows }) => appTexts.bulk.refused(rows, appTexts.bulk.why[why])).join('; ')}
        </p>
      )}
      {preview.pairs.length > 0 && (
        <ScrollBox className={ui['preview-scroll']} label={dialogTexts.bulk.preview}>
          <table className={`${ui['diff']} ${ui['preview-table']}`}>
            <TableHead titles={[dialogTexts.bulk.row, dialogTexts.bulk.was, dialogTexts.bulk.is]} />
            <tbody>
              {preview.pairs.map((pair) => (
                <tr key={`${pair.kind} ${pair.id} ${pair.field}`}>
                  <td title={`${pair.campaignName} › ${pair.label}`}>
                    {pair.label} <span className={ui['quiet']}>{pair.campaignName}</span>
                  </td>
                  <td>
                    <del>{text(pair, pair.before)}</del>
                  </td>
                  <td>
                    <ins>{text(pair, pair.value)}</ins>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </section>
  );
}

interface ToolFieldsProps {
  readonly kind: Kind;
  readonly form: ToolForm;
  readonly onChange: (changes: Partial<ToolForm>) => void;
}

type Texts = 'value' | 'expression' | 'min' | 'max' | 'roundTo' | 'find' | 'replace' | 'before' | 'after';

const ROUNDINGS = ['nearest', 'down', 'up'] as const;
const CASES = ['lower', 'upper', 'title', 'sentence'] as const;

function ToolFields({ kind, form, onChange }: ToolFieldsProps) {
  const text = (name: Texts) => ({
    label: texts[name],
    value: form[name],
    size: 'xs' as const,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.currentTarget.value }),
  });
  const check = (name: 'matchCase' | 'wholeCell' | 'isPattern') => ({
    label: texts[name],
    checked: form[name],
    size: 'xs' as const,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [name]: event.currentTarget.checked }),
  });
  switch (form.tool) {
    case 'set': {
      const type = fieldSpec(kind, form.field)?.type;
      if (type?.is === 'choice') {
        const data = [
          { value: '', label: '' },
          ...choicesOf(kind, form.field, null).map((choice) => ({
            value: choice,
            label: wordName(form.field, choice),
          })),
        ];
        return (
          <NativeSelect
            label={texts.value}
            data={data}
            value={form.value}
            onChange={(event) => onChange({ value: event.currentTarget.value })}
          />
        );
      }
      return <TextInput {...text('value')} data-autofocus />;
    }
    case 'amount':
      return (
        <>
          <TextInput
            {...text('expression')}
            className={ui['form-half']}
            placeholder={texts.expressionHint}
            data-autofocus
          />
          <TextInput {...text('min')} inputMode="decimal" />
          <TextInput {...text('max')} inputMode="decimal" />
          <TextInput {...text('roundTo')} inputMode="decimal" placeholder="0.05" />
          <NativeSelect
            label={texts.rounding}
            data={ROUNDINGS.map((value) => ({ value, label: texts.roundings[value] }))}
            value={form.rounding}
            onChange={(event) => {
              const rounding = ROUNDINGS.find((each) => each === event.currentTarget.value);
              if (rounding !== undefined) onChange({ rounding });
            }}
          />
        </>
      );
    case 'replace':
      return (
        <>
          <TextInput {...text('find')} data-autofocus />
          <TextInput {...text('replace')} />
          <Checkbox {...check('matchCase')} />
          <Checkbox {...check('wholeCell')} />
          <Checkbox {...check('isPattern')} />
          <p className={`${ui['quiet']} ${ui['form-wide']}`}>{form.isPattern ? texts.patternHint : texts.tokens}</p>
        </>
      );
    case 'append':
      return (
        <>
          <TextInput {...text('before')} data-autofocus />
          <TextInput {...text('after')} />
          <p className={`${ui['quiet']} ${ui['form-wide']}`}>{texts.tokens}</p>
        </>
      );
    case 'case':
      return (
        <NativeSelect
          label={texts.to}
          data={CASES.map((value) => ({ value, label: texts.cases[value] }))}
          value={form.to}
          onChange={(event) => {
            const to = CASES.find((each) => each === event.currentTarget.value);
            if (to !== undefined) onChange({ to });
          }}
        />
      );
  }
}

/** The tools of the dialog. What needs no typing (duplicate, hold, delete) is a command. */
const TOOLS = ['set', 'amount', 'replace', 'append', 'case'] as const;
type ToolName = (typeof TOOLS)[number];

/** What is typed in the dialog, as it stands; every tool keeps its own texts while another is looked at. */
interface ToolForm {
  readonly tool: ToolName;
  readonly field: string;
  readonly value: string;
  readonly expression: string;
  readonly min: string;
  readonly max: string;
  readonly roundTo: string;
  readonly rounding: 'nearest' | 'down' | 'up';
  readonly find: string;
  readonly replace: string;
  readonly matchCase: boolean;
  readonly wholeCell: boolean;
  readonly isPattern: boolean;
  readonly before: string;
  readonly after: string;
  readonly to: 'lower' | 'upper' | 'title' | 'sentence';
}

const EMPTY_FORM: ToolForm = {
  tool: 'set',
  field: '',
  value: '',
  expression: '',
  min: '',
  max: '',
  roundTo: '',
  rounding: 'nearest',
  find: '',
  replace: '',
  matchCase: false,
  wholeCell: false,
  isPattern: false,
  before: '',
  after: '',
  to: 'lower',
};

/** Types of field a tool works on. Files are chosen in the details, one profile at a time. */
const TYPES: Readonly<Record<ToolName, readonly string[]>> = {
  set: ['text', 'money', 'factor', 'date', 'choice'],
  amount: ['money', 'factor'],
  replace: ['text'],
  append: ['text'],
  case: ['text'],
};
/** What the probe read from a file is not for typing. */
const NEVER = new Set(['fileName', 'sha256', 'facts', 'mediaType']);

const fieldsFor = (kind: Kind, tool: ToolName): readonly Column[] =>
  columnsOf(kind, false).filter(
    ({ field, spec }) =>
      spec !== null && spec.owner !== 'service' && TYPES[tool].includes(spec.type.is) && !NEVER.has(field),
  );

/** The tools that have any field to work on in rows of a kind. */
const toolsFor = (kind: Kind): readonly ToolName[] => TOOLS.filter((tool) => fieldsFor(kind, tool).length > 0);

/** The form on one tool, with a field that the tool can change. */
function withTool(form: ToolForm, kind: Kind, tool: ToolName): ToolForm {
  const fields = fieldsFor(kind, tool).map(({ field }) => field);
  return { ...form, tool, field: fields.includes(form.field) ? form.field : (fields[0] ?? '') };
}

/** The tool as main takes it; null while there is too little typed, a sentence when it cannot be read. */
function toolOf(form: ToolForm, kind: Kind): Result<BulkTool | null, string> {
  const { field, tool } = form;
  switch (tool) {
    case 'set': {
      const parsed = readCell(kind, field, form.value);
      if (!parsed.ok) return parsed;
      if (parsed.value === null && fieldSpec(kind, field)?.type.is === 'choice') return ok(null);
      return ok({ tool, values: { [field]: parsed.value } });
    }
    case 'amount': {
      if (form.expression.trim() === '') return ok(null);
      const bounds = [form.min, form.max, form.roundTo].map((text) => readCell('keyword', 'bid', text));
      const bad = bounds.find((bound) => !bound.ok);
      if (bad !== undefined && !bad.ok) return bad;
      const expression = readSum(form.expression);
      if (!expression.ok) return expression;
      const [min = null, max = null, roundTo = null] = bounds.map((bound) => (bound.ok ? Number(bound.value) : null));
      return ok({
        tool,
        field,
        expression: expression.value,
        min: form.min.trim() === '' ? null : min,
        max: form.max.trim() === '' ? null : max,
        roundTo: roundTo ?? 0,
        rounding: form.rounding,
      });
    }
    case 'replace': {
      const { find, replace, matchCase, wholeCell, isPattern } = form;
      return ok(find === '' ? null : { tool, field, find, replace, matchCase, wholeCell, isPattern });
    }
    case 'append': {
      const { before, after } = form;
      return ok(before === '' && after === '' ? null : { tool, field, before, after });
    }
    case 'case':
      return ok({ tool, field, to: form.to });
  }
}

function labelOf(form: ToolForm, fieldTitle: string): string {
  const { labels } = appTexts.bulk;
  return form.tool === 'amount'
    ? labels.amount(fieldTitle, form.expression.trim().slice(0, 60))
    : labels[form.tool](fieldTitle);
}

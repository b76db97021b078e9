import { Checkbox, Progress, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ChangeEvent, useEffect, useMemo, useState } from 'react';
import type { BulkPreview, BulkScope } from '../../../shared/api/bulk.ts';
import { CHANGES_MAX } from '../../../shared/api/limits.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { changeCommand } from '../../../shared/plan/capabilities.ts';
import { useAppContext, useView } from '../../app/app-context.ts';
import { fieldName, wordName } from '../../app/field-names.ts';
import { choicesOf } from '../../app/locale/limits.ts';
import { countText, inSentence, plural } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { useOffering } from '../../app/shared-queries.ts';
import type { OpenTool } from '../../app/store/layout-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import ui from '../../components/ui.module.css';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { gridTexts } from '../../grid/text.ts';
import { useSuggestedBids } from '../../grid/use-suggestions.tsx';
import type { OpenView } from '../../grid/window.ts';
import { ToolFrame, usePreview, useToolScope } from './ToolFrame.tsx';
import {
  EMPTY_FORM,
  fieldsFor,
  hasSuggestedBid,
  labelOf,
  type ToolForm,
  type ToolName,
  toolOf,
  toolsFor,
  withTool,
} from './tool-form.ts';
import styles from './tools.module.css';

const texts = {
  field: 'Field',
  value: 'New value',
  expression: 'Formula',
  expressionHint: '+10%   -0.05   1.50',
  limits: 'Limits',
  optional: 'optional',
  min: 'At least',
  max: 'At most',
  roundTo: 'Round to',
  rounding: 'Rounding',
  roundings: { nearest: 'Nearest', down: 'Down (truncate)', up: 'Up' },
  find: 'Find',
  replace: 'Replace with',
  matchCase: 'Match case',
  wholeCell: 'Whole cell only',
  isPattern: 'Regular expression',
  patternHint: 'Supported: . * + ? [ ] ( ) | ^ $. In the replacement, $1 is the first group. Tokens work too.',
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
  preview: 'Preview',
  changes: (n: number) => `${plural(n, 'cell')} will change`,
  changing: (field: string | null) => `${field === null ? 'Rows' : many(field)} that change`,
  skipped: (why: string) => `Skipped, ${why}`,
  same: 'Skipped, no change',
  unsuggested: 'Skipped, no suggested bid',
  tooMany: `Up to ${countText(CHANGES_MAX)} bids can change in one step. Select fewer rows.`,
  average: (field: string) => `Average ${inSentence(field)}`,
  unsupported: 'Not supported by the service',
  apply: (n: number, field: string) =>
    n === 0 ? 'Apply' : `Apply to ${plural(n, inSentence(field), many(inSentence(field)))}`,
} as const;

const many = (word: string): string => (/(s|x|ch)$/.test(word) ? `${word}es` : word.replace(/y$/, 'ie').concat('s'));

/** Tools whose first field is short enough to share a line with the selected field. */
const BESIDE: ReadonlySet<ToolName> = new Set<ToolName>(['set', 'amount', 'case']);

interface CellToolsProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly step: ToolName;
  readonly opened: OpenTool;
}

/** One change to many rows. The grid previews the new values during input; nothing is written before Apply. */
export function CellTools({ workspaceId, view, step, opened }: CellToolsProps) {
  const { store, actions, toasts, openGrid } = useAppContext();
  const { kind } = view.source.request;
  const { scope, range, control } = useToolScope(workspaceId, view);
  const [form, setForm] = useState(() => withTool({ ...EMPTY_FORM, field: opened.field }, kind, step));
  const [taskId, setTaskId] = useState<string | null>(null);
  const progress = useView((s) => (taskId === null ? null : s.tasks[taskId]?.rows));
  useEffect(() => {
    setForm((before) => {
      const form = opened.isSuggested === true ? { ...before, expression: '', suggested: true } : before;
      return withTool(opened.field === '' ? form : { ...form, field: opened.field }, kind, step);
    });
  }, [opened, kind, step]);

  const read = useMemo(() => toolOf(form, kind), [form, kind]);
  const tool = read.ok ? read.value : null;
  const counted = usePreview(workspaceId, scope, tool);
  const wantsSuggested = step === 'amount' && form.suggested;
  const suggested = useSuggestedPreview(workspaceId, kind, wantsSuggested ? scope : null);
  const { preview, problem, waiting } = wantsSuggested ? suggested : counted;
  const complaint = read.ok ? problem : read.error;
  const cells = preview?.cells ?? 0;
  const title = fieldName(form.field, kind);
  const shown = complaint === null ? tool : null;
  const hasBids = suggested.preview !== null;
  const of = useMemo(
    () => (wantsSuggested ? (hasBids ? { suggested: 'bid' as const } : null) : shown === null ? null : { tool: shown }),
    [wantsSuggested, hasBids, shown],
  );
  const places = range === null ? null : `${range.from} ${range.to}`;
  useEffect(() => {
    const [from = 0, to = 0] = places?.split(' ').map(Number) ?? [];
    store
      .getState()
      .showGhosts(
        of === null ? null : { kind, fields: [form.field], of, range: places === null ? null : { from, to } },
      );
  }, [store, kind, form.field, of, places]);

  const average = of === null ? null : (preview?.average?.value ?? null);
  useEffect(() => {
    store.getState().showGhostAverage(average);
    return () => store.getState().showGhostAverage(null);
  }, [store, average]);

  const closeHere = (): void => {
    // The pane may show a tool of another account by now.
    if (store.getState().workspaceId !== workspaceId) return;
    store.getState().closePane();
    openGrid.current?.focus();
  };
  const apply = async (): Promise<void> => {
    if (cells === 0 || waiting || taskId !== null) return;
    const id = crypto.randomUUID();
    if (wantsSuggested) {
      setTaskId(id);
      const isDone = await suggested.accept(id);
      setTaskId(null);
      if (isDone) closeHere();
      return;
    }
    if (tool === null || scope === null) return;
    setTaskId(id);
    const done = await actions.applyTool(scope, tool, labelOf(form, title), id);
    setTaskId(null);
    if (done === null) return;
    closeHere();
    toasts.tell(appTexts.bulk.done(done.cells));
  };
  return (
    <ToolFrame
      label={texts.apply(cells, title)}
      disabled={cells === 0 || waiting}
      busy={taskId !== null}
      onApply={() => void apply()}
      onStop={taskId === null ? null : () => void actions.cancelTask(taskId)}
    >
      {toolsFor(kind).includes(step) && (
        <>
          {control}
          <div className={BESIDE.has(step) ? styles['pair'] : styles['fields']}>
            <ChoiceField
              label={texts.field}
              options={fieldsFor(kind, step).map(({ field }) => [field, fieldName(field, kind)])}
              value={form.field}
              onChoose={(field) => setForm((before) => ({ ...before, field, value: '', suggested: false }))}
            />
            <ToolFields
              kind={kind}
              form={form}
              onChange={(changes) => setForm((before) => ({ ...before, ...changes }))}
            />
          </div>
        </>
      )}
      <Problem of={complaint} />
      {wantsSuggested && suggested.hint !== null && <p className={ui['quiet']}>{suggested.hint}</p>}
      {wantsSuggested && suggested.lacksGoal && (
        <Chip onClick={() => store.getState().openSuggestions(null, 'account')}>{gridTexts.setTarget}</Chip>
      )}
      {preview !== null && of !== null && (
        <Preview
          kind={kind}
          field={form.field}
          preview={preview}
          waiting={waiting}
          left={wantsSuggested ? texts.unsuggested : texts.same}
        />
      )}
      {taskId !== null && progress !== null && progress !== undefined && (
        <div>
          <Progress value={(100 * progress.done) / Math.max(1, progress.total)} aria-label={texts.preview} />
          <span className={`${ui['quiet']} ${ui['numeric']}`}>{texts.working(progress.done, progress.total)}</span>
        </div>
      )}
    </ToolFrame>
  );
}

/** Milliseconds without a change of the selection after which its suggested bids are counted. */
const PAUSE_MS = 120;

/** Counts the suggested bids of the rows, and writes them in one step. */
function useSuggestedPreview(workspaceId: string, kind: Kind, scope: BulkScope | null) {
  const wanted = scope === null ? null : JSON.stringify(scope);
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const settled = useMemo((): BulkScope | null => (asked === null ? null : JSON.parse(asked)), [asked]);
  const { counts, isPending, accept } = useSuggestedBids(workspaceId, kind, settled);
  const waiting = wanted !== null && (asked !== wanted || isPending);
  const isTooMany = counts !== null && counts.bids > CHANGES_MAX;
  const preview: PreviewProps['preview'] | null =
    counts === null || counts.bids === 0 || isTooMany ? null : { ...counts, cells: counts.bids, refused: [] };
  const none = wanted === null || waiting || preview !== null ? null : gridTexts.suggestion.none;
  const hint = isTooMany ? texts.tooMany : none;
  return { preview, hint, lacksGoal: counts?.hasGoal === false, problem: null, waiting, accept };
}

/** Amounts contain no files. */
const NO_MEDIA: MediaNames = new Map();

interface PreviewProps {
  readonly kind: Kind;
  readonly field: string;
  readonly preview: Pick<BulkPreview, 'rows' | 'cells' | 'refused' | 'average' | 'effects'>;
  readonly waiting: boolean;
  /** The name of the line for rows that do not change. */
  readonly left: string;
}

/** How many rows change, why others are skipped, the averages, and when it takes effect. Main counts them. */
function Preview({ kind, field, preview, waiting, left: same }: PreviewProps) {
  const offering = useOffering(changeCommand(kind));
  const { rows, cells, refused, average, effects } = preview;
  const left = rows - cells - refused.reduce((sum, each) => sum + each.rows, 0);
  const lines = [
    ...refused.map(({ why, rows: count }) => ({ name: texts.skipped(appTexts.bulk.short[why]), count })),
    ...(left > 0 ? [{ name: same, count: left }] : []),
  ];
  const isCarried = offering === null || offering.isOffered;
  const effectName = (cost: BulkPreview['effects'][number]['cost']): string =>
    isCarried || cost === 'local' || cost === 'with-create' ? appTexts.impacts[cost] : texts.unsupported;
  const name = fieldName(field, kind);
  const byName = Map.groupBy(effects, ({ cost }) => effectName(cost));
  return (
    <section
      className={waiting ? `${styles['preview']} ${ui['preview-waiting']}` : styles['preview']}
      aria-label={texts.preview}
      aria-busy={waiting}
    >
      <h2 className={styles['title']}>{texts.preview}</h2>
      <meter
        className={styles['share']}
        min={0}
        max={Math.max(1, rows)}
        value={cells}
        aria-label={texts.changes(cells)}
      />
      <p className={ui['spoken-only']} role="status">
        {texts.changes(cells)}
      </p>
      <dl className={styles['figures']}>
        <Line name={texts.changing(average === null ? null : name)} value={countText(cells)} mark={styles['changed']} />
        {lines.map((line) => (
          <Line key={line.name} name={line.name} value={countText(line.count)} mark={styles['skipped']} />
        ))}
      </dl>
      <dl className={styles['figures']}>
        {average !== null && (
          <Line
            name={texts.average(name)}
            value={`${valueText(kind, field, average.before, NO_MEDIA)} → ${valueText(kind, field, average.value, NO_MEDIA)}`}
          />
        )}
        {[...byName].map(([effect, own]) => (
          <Line key={effect} name={effect} value={countText(own.reduce((sum, each) => sum + each.rows, 0))} />
        ))}
      </dl>
    </section>
  );
}

function Line({
  name,
  value,
  mark,
}: {
  readonly name: string;
  readonly value: string;
  readonly mark?: string | undefined;
}) {
  return (
    <div>
      <dt className={mark}>{name}</dt>
      <dd className={ui['numeric']}>{value}</dd>
    </div>
  );
}

interface ToolFieldsProps {
  readonly kind: Kind;
  readonly form: ToolForm;
  readonly onChange: (changes: Partial<ToolForm>) => void;
}

type Texts = 'value' | 'expression' | 'min' | 'max' | 'roundTo' | 'find' | 'replace' | 'before' | 'after';

const ROUNDINGS = ['nearest', 'down', 'up'] as const;
/** The most common formulas. */
const SUMS = ['+10%', '-10%', '*1.2'] as const;
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
        const choices = choicesOf(kind, form.field, null).map((each) => [each, wordName(form.field, each)] as const);
        return (
          <ChoiceField
            label={texts.value}
            options={[['', ''], ...choices]}
            value={form.value}
            onChoose={(value) => onChange({ value })}
          />
        );
      }
      return <TextInput {...text('value')} data-first />;
    }
    case 'amount':
      return (
        <>
          <TextInput
            {...text('expression')}
            placeholder={texts.expressionHint}
            data-first
            onChange={(event) => onChange({ expression: event.currentTarget.value, suggested: false })}
          />
          <div className={styles['chips']}>
            {SUMS.map((sum) => (
              <Chip
                key={sum}
                aria-pressed={form.expression === sum}
                onClick={() => onChange({ expression: form.expression === sum ? '' : sum, suggested: false })}
              >
                {sum.replace('-', '−').replace('*', '×')}
              </Chip>
            ))}
            {hasSuggestedBid(kind, form.field) && (
              <Chip
                aria-pressed={form.suggested}
                onClick={() => onChange({ expression: '', suggested: !form.suggested })}
              >
                {gridTexts.suggested}
              </Chip>
            )}
          </div>
          {!form.suggested && (
            <fieldset className={styles['limits']}>
              <legend className={styles['title']}>
                {texts.limits} <span className={ui['quiet']}>{texts.optional}</span>
              </legend>
              <TextInput {...text('min')} inputMode="decimal" />
              <TextInput {...text('max')} inputMode="decimal" />
              <TextInput {...text('roundTo')} inputMode="decimal" placeholder="0.05" />
              {form.roundTo.trim() !== '' && (
                <ChoiceField
                  className={styles['whole'] ?? ''}
                  label={texts.rounding}
                  options={ROUNDINGS.map((each) => [each, texts.roundings[each]])}
                  value={form.rounding}
                  onChoose={(rounding) => onChange({ rounding })}
                />
              )}
            </fieldset>
          )}
        </>
      );
    case 'replace':
      return (
        <>
          <TextInput {...text('find')} data-first />
          <TextInput {...text('replace')} />
          <Checkbox {...check('matchCase')} />
          <Checkbox {...check('wholeCell')} />
          <Checkbox {...check('isPattern')} />
          <p className={ui['quiet']}>{form.isPattern ? texts.patternHint : texts.tokens}</p>
        </>
      );
    case 'append':
      return (
        <>
          <TextInput {...text('before')} data-first />
          <TextInput {...text('after')} />
          <p className={ui['quiet']}>{texts.tokens}</p>
        </>
      );
    case 'case':
      return (
        <ChoiceField
          label={texts.to}
          options={CASES.map((each) => [each, texts.cases[each]])}
          value={form.to}
          onChoose={(to) => onChange({ to })}
        />
      );
  }
}

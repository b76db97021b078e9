import type { BulkTool } from '../../../shared/api/bulk.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { readCell, readSum } from '../../app/locale/cells.ts';
import { appTexts } from '../../app/texts.ts';
import { type Column, columnsOf } from '../../grid/columns.ts';

/** The tools for cells. Actions without input (duplicate, hold, delete) are commands. */
export const CELL_TOOLS = ['set', 'amount', 'replace', 'append', 'case'] as const;
export type ToolName = (typeof CELL_TOOLS)[number];

/** The input of the pane before anything is entered. Each tool keeps its input while another one is shown. */
export const EMPTY_FORM = {
  tool: 'set' as ToolName,
  field: '',
  value: '',
  expression: '',
  /** Whether the suggested bid of each row is used instead of a formula. */
  suggested: false,
  min: '',
  max: '',
  roundTo: '',
  rounding: 'nearest' as NonNullable<Extract<BulkTool, { tool: 'amount' }>['rounding']>,
  find: '',
  replace: '',
  matchCase: false,
  wholeCell: false,
  isPattern: false,
  before: '',
  after: '',
  to: 'lower' as Extract<BulkTool, { tool: 'case' }>['to'],
};
export type ToolForm = Readonly<typeof EMPTY_FORM>;

/** The field types of each tool. Files are selected in the details, one profile at a time. */
const TYPES: Readonly<Record<ToolName, readonly string[]>> = {
  set: ['text', 'money', 'factor', 'date', 'choice'],
  amount: ['money', 'factor'],
  replace: ['text'],
  append: ['text'],
  case: ['text'],
};
/** Fields that the media check fills in can't be edited. */
const NEVER = new Set(['fileName', 'sha256', 'facts', 'mediaType']);

export const fieldsFor = (kind: Kind, tool: ToolName): readonly Column[] =>
  columnsOf(kind, false).filter(
    ({ field, spec }) =>
      spec !== null && spec.owner !== 'service' && TYPES[tool].includes(spec.type.is) && !NEVER.has(field),
  );

/** The tools with a field that they can change in rows of a kind. */
export const toolsFor = (kind: Kind): readonly ToolName[] =>
  CELL_TOOLS.filter((tool) => fieldsFor(kind, tool).length > 0);

/** Opens a tool in the form, with a field that the tool can change. */
export function withTool(form: ToolForm, kind: Kind, tool: ToolName): ToolForm {
  const fields = fieldsFor(kind, tool).map(({ field }) => field);
  return { ...form, tool, field: fields.includes(form.field) ? form.field : (fields[0] ?? '') };
}

/** The tool in the format of main; null without enough input, a sentence for invalid input. */
export function toolOf(form: ToolForm, kind: Kind): Result<BulkTool | null, string> {
  const { field, tool } = form;
  switch (tool) {
    case 'set': {
      // An empty value clears nothing, because a tool starts with one; the Delete key clears cells.
      if (form.value.trim() === '') return ok(null);
      const parsed = readCell(kind, field, form.value);
      if (!parsed.ok) return parsed;
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

/** Whether rows of a kind can have a suggested bid. */
export const hasSuggestedBid = (kind: Kind, field: string): boolean =>
  field === 'bid' && (kind === 'keyword' || kind === 'adItem');

export function labelOf(form: ToolForm, fieldTitle: string): string {
  const { labels } = appTexts.bulk;
  return form.tool === 'amount'
    ? labels.amount(fieldTitle, form.expression.trim().slice(0, 60))
    : labels[form.tool](fieldTitle);
}

import { z } from 'zod';
import { jsonOrNull } from '../json-or-null.ts';
import { printPlan, quoted, readPlan, type WrittenPlan } from '../plan/plan-text.ts';
import { err, ok, type Result } from '../result.ts';
import { RowIdSchema, WorkspaceIdSchema } from './scalars.ts';
import { ChosenRows } from './sync.ts';

/**
 * A plan as a file: `docs/plan-format.md`. The first line has its account and options, the others are the plan.
 *
 *     adslate-plan 1 {"account":"Shop",...}
 *     plan: 1 requests, 1 elements, 0 uploads
 *     0 POST /api/v1/campaigns campaign create campaign 1
 *       campaign/1 {"advertiserId":900001,"name":"Rolls"}
 */
const VERSION = 1;
const WORD = 'adslate-plan';

export const PlanHeader = z.strictObject({
  /** The account's name when the file was written. */
  account: z.string(),
  workspaceId: WorkspaceIdSchema,
  advertiserId: z.string(),
  /** When the drafts were last changed before the plan was made; null if never. */
  draftsOf: z.iso.datetime().nullable(),
  /** Options of the sync. */
  submit: z.boolean(),
  cancelReviews: z.boolean(),
  campaignIds: z.array(RowIdSchema).nullable(),
  chosen: ChosenRows.nullable(),
});
export type PlanHeader = z.infer<typeof PlanHeader>;

export interface PlanFile {
  readonly header: PlanHeader;
  readonly plan: WrittenPlan;
}

/** The text of a plan file. The same plan of the same drafts gives the same bytes. */
export function printPlanFile(header: PlanHeader, plan: WrittenPlan): string {
  const members = Object.keys(PlanHeader.shape).map((name) => [name, header[name as keyof PlanHeader]]);
  return `${WORD} ${VERSION} ${onOneLine(Object.fromEntries(members))}\n${printPlan(plan)}`;
}

/** JSON in which nothing steers a terminal. */
function onOneLine(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(',')}]`;
  const members = Object.entries(value).map(([key, member]) => `${quoted(key)}:${onOneLine(member)}`);
  return `{${members.join(',')}}`;
}

export type PlanFileProblem =
  | { readonly kind: 'no-plan' }
  /** From before plan files had a header line: written by the command line, or by the window as JSON. */
  | { readonly kind: 'older-plan' }
  | { readonly kind: 'newer-plan' }
  /** Not as it was written; `line` counts from 1. */
  | { readonly kind: 'damaged-plan'; readonly line: number };

/** Parses a plan file, or the output of `sync --dry-run --json` and `plan --text --json`. */
export function readPlanFile(text: string): Result<PlanFile, PlanFileProblem> {
  const lines = linesOf(text);
  const [first = '', ...rest] = lines;
  if (!first.startsWith(`${WORD} `)) return err({ kind: isOlder(text, first) ? 'older-plan' : 'no-plan' });
  const [, version = '', json = ''] = /^\S+ (\d{1,9}) (.*)$/u.exec(first) ?? [];
  if (Number(version) > VERSION) return err({ kind: 'newer-plan' });
  const header = PlanHeader.safeParse(jsonOrNull(json));
  if (!header.success) return err({ kind: 'damaged-plan', line: 1 });
  const plan = readPlan(rest);
  if (!plan.ok) return err({ kind: 'damaged-plan', line: plan.error + 2 });
  return ok({ header: header.data, plan: plan.value });
}

const Printed = z.union([
  z.strictObject({ plan: z.array(z.string()) }),
  z.strictObject({ lines: z.array(z.string()) }),
]);

/** The original lines: an editor may have changed line ends, or added a byte order mark or an empty line. */
function linesOf(text: string): readonly string[] {
  const printed = text.startsWith('{') ? Printed.safeParse(jsonOrNull(text)) : null;
  if (printed?.success === true) return 'plan' in printed.data ? printed.data.plan : printed.data.lines;
  return text
    .replace(/^\uFEFF/u, '')
    .replace(/[\r\n]+$/u, '')
    .split(/\r?\n/u);
}

const DeskJson = z.looseObject({ elements: z.int(), requests: z.array(z.unknown()), leftOut: z.array(z.unknown()) });

const isOlder = (text: string, first: string): boolean =>
  /^plan: \d/u.test(first) || (text.startsWith('{') && DeskJson.safeParse(jsonOrNull(text)).success);

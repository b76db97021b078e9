import { z } from 'zod';
import { cellProblemText } from '../model/cell-text.ts';
import { KINDS } from '../model/kinds.ts';
import { asRowId, asWorkspaceId } from '../model/scalars.ts';
import { controlCharacterAt, cutToCodePoints, isUnseen } from '../model/text.ts';
import { isPeriod, type Period } from '../reports/period.ts';
import { WINDOW_MAX } from './limits.ts';

/** The scalars that cross the contract, checked and branded on both sides. */
const ROW_ID_MAX = 2 ** 31 - 1;

export const RowIdSchema = z.int().min(1).max(ROW_ID_MAX).transform(asRowId);
export const KindSchema = z.enum(KINDS);
export const CellSchema = z.union([z.string().max(50_000), z.int(), z.null()]);
export const SeveritySchema = z.enum(['error', 'warning', 'advice']);
export const WorkspaceIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
  .transform(asWorkspaceId);
/** A handle to a file that the user selected; the only form in which a file crosses the contract. */
export const GrantSchema = z.string().regex(/^[a-f0-9]{32}$/);
/** ID of a report stored on this computer. */
export const SnapshotIdSchema = z.string().regex(/^[a-z0-9-]{1,120}$/);
export const RowRefSchema = z.strictObject({ kind: KindSchema, id: RowIdSchema });
/** A row with its label: a keyword's text, an item's ID, a headline. */
export const NamedRow = RowRefSchema.extend({ label: z.string() });
/** Rows of several kinds: at most `max` of each, of at least `min` kinds. */
export const rowsByKind = (max: number, min = 1) =>
  z
    .array(z.strictObject({ kind: KindSchema, ids: z.array(RowIdSchema).min(1).max(max) }))
    .min(min)
    .max(20);

const tooLong = (length: number, max: number): string =>
  `This text has ${length} characters. The maximum is ${max}. Enter a shorter text.`;

/** A text with at least one visible character. */
export const seenText = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max, { error: ({ input }) => tooLong(typeof input === 'string' ? input.length : 0, max) })
    .superRefine((text, { addIssue }) => {
      if (isUnseen(text)) addIssue({ code: 'custom', message: cellProblemText({ kind: 'unseen-text', text }) });
    });
/** A name that things are found by: one line, without characters that change its display. */
export const seenName = (max: number) =>
  seenText(max).superRefine((text, { addIssue }) => {
    const at = controlCharacterAt(text);
    if (at >= 0) addIssue({ code: 'custom', message: cellProblemText({ kind: 'control-character', text, at }) });
  });

const STEP_LABEL_MAX = 200;
/** Name of a step for undo. A long one is cut, because a valid long name must not block the edit. */
export const StepLabel = z
  .string()
  .transform((text) => (text.length <= STEP_LABEL_MAX ? text : `${cutToCodePoints(text, STEP_LABEL_MAX - 1)}…`));

export const WindowSchema = { from: z.int().min(0), count: z.int().min(0).max(WINDOW_MAX) };

export type RowRef = z.infer<typeof RowRefSchema>;

/** Sizes and visibility of panes, columns and chosen keys, as the window stores them (`renderer/app/store/layout-slice.ts`). */
export const Layout = z.record(z.string(), z.union([z.number(), z.boolean(), z.string()]));
export type Layout = Readonly<z.infer<typeof Layout>>;

/** A list as JSON text stored in a workspace. @throws SyntaxError for invalid JSON */
export const jsonText = <S extends z.ZodType>(shape: S) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(shape);

/** The entries of a stored list that this version can read, and the names of those that only a newer one can. */
export function readableOf<T>(shape: z.ZodType<T>, entries: readonly unknown[]) {
  const read: T[] = [];
  const unread: string[] = [];
  for (const entry of entries) {
    const parsed = shape.safeParse(entry);
    if (parsed.success) read.push(parsed.data);
    else unread.push(named.safeParse(entry).data?.name ?? '?');
  }
  return { read, unread };
}

const named = z.object({ name: z.string().max(200) });

/** The days that metrics are shown for (`shared/reports/period.ts`). */
export const PeriodSchema = z.string().refine((text): text is Period => isPeriod(text), 'not a period');

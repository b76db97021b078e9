import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { type Stop, usageStop } from './stop.ts';

/** What `sync --dry-run --json` prints is a plan as well. */
const PlanObject = z.object({ plan: z.array(z.string()) });
/** How every plan begins, so that another text is not taken for a plan that has changed. */
const FIRST_LINE = /^plan: \d/;

/**
 * The text of a plan that `sync --dry-run` wrote.
 *
 * @throws a Stop that says whether the file is missing, cannot be read, or holds something else
 */
export async function readReviewedPlan(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
    throw unreadable(file, thrown);
  });
  const plan = text.startsWith('{') ? PlanObject.safeParse(jsonOrNull(text)).data?.plan.join('\n') : text;
  if (plan === undefined || !FIRST_LINE.test(plan)) throw usageStop(`${file} holds no plan. ${HOW_TO_WRITE_ONE}`);
  return plan;
}

const HOW_TO_WRITE_ONE = '"adslate sync --dry-run > FILE" writes one.';

/** @returns what it was given unless the system refused the file: a defect of ours */
function unreadable(file: string, thrown: unknown): Stop | unknown {
  if (!(thrown instanceof Error && 'code' in thrown)) return thrown;
  return thrown.code === 'ENOENT'
    ? usageStop(`There is no file ${file}. ${HOW_TO_WRITE_ONE}`)
    : usageStop(`The plan ${file} cannot be read (${String(thrown.code)}). Check its rights.`);
}

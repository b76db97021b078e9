import { WINDOW_MAX } from '../../../../shared/contract/limits.ts';
import type { BatchView, PlanView } from '../../../../shared/contract/sync.ts';
import type { WorkspaceId } from '../../../../shared/model/scalars.ts';
import type { Client, Command, Context } from '../command.ts';
import { planFileLines } from '../reviewed-plan.ts';
import { EXIT } from '../stop.ts';
import { syncWishOf, WISH_OPTIONS } from '../sync-wish.ts';
import { counted } from '../table.ts';
import { inverseLines } from './plan-text.ts';

export const planCommand: Command = {
  name: 'plan',
  takes: '[--submit] [--campaign NAME] [--only TYPE[:FILTER]] [--text | --back]',
  summary:
    'Shows what a sync would send, request by request, with the exact bodies. Sends nothing. --text prints the plan as a file, as "sync --dry-run" does, for comparing two plans; --back shows what would take the plan back, and what nothing takes back. --only plans nothing but these rows and the parents they need.',
  options: { ...WISH_OPTIONS, text: { type: 'boolean' }, back: { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const wish = await syncWishOf(context);
    if (context.flag('text') || context.flag('back')) {
      const sync = await (await context.account()).sync();
      const planned = await sync.planned(wish);
      const lines = context.flag('text') ? await planFileLines(context, wish, planned) : inverseLines(planned);
      for (const line of lines) context.output.say(line);
      context.output.result({ lines });
      return EXIT.done;
    }
    const plan = await client.sync.plan(wish);
    const requests = await requestsOf(client, workspaceId, plan, context.output.json);
    showPlan(context, plan, requests);
    context.output.resultText(planJson(plan, requests));
    return EXIT.done;
  },
};

/** Every request of a plan, read by windows. */
export async function requestsOf(
  client: Client,
  workspaceId: WorkspaceId,
  { planId, requests }: PlanView,
  bodies: boolean,
): Promise<readonly BatchView[]> {
  const all: BatchView[] = [];
  while (all.length < requests) {
    const window = { from: all.length, count: WINDOW_MAX };
    const { batches } = await client.sync.planBatches({ workspaceId, planId, bodies, ...window });
    all.push(...batches);
  }
  return all;
}

export function showPlan({ output }: Context, plan: PlanView, requests: readonly BatchView[]): void {
  for (const upload of plan.uploads) output.say(`upload  ${upload.file} (${counted(upload.bytes, 'byte')})`);
  for (const batch of requests) {
    output.say(
      `${batch.method.padEnd(4)}  ${batch.path}  ${batch.verb} ${counted(batch.elements, batch.kind)}  ${batch.campaign}`,
    );
  }
  const named = ({ rows, first }: PlanView['leftOut'][number]): string =>
    rows <= 5 ? first.map((row) => row.label).join(', ') : counted(rows, 'row');
  for (const added of plan.added) output.say(`goes along (${ADDED[added.reason] ?? added.reason}): ${named(added)}`);
  for (const left of plan.leftOut) output.say(`left out (${REASONS[left.reason] ?? left.reason}): ${named(left)}`);
  const parts = [counted(plan.requests, 'request'), `${counted(plan.elements, 'element')}`];
  if (plan.uploads.length > 0) parts.push(counted(plan.uploads.length, 'upload'));
  if (plan.reviews > 0) parts.push(counted(plan.reviews, 'review'));
  output.say(plan.requests + plan.uploads.length === 0 ? 'Nothing to send.' : `${parts.join(', ')}.`);
  if (plan.waitsHours > 0) {
    output.say(
      `The service takes a limited number of changes an hour: about ${counted(plan.waitsHours, 'hour')} in all.`,
    );
  }
  if (plan.errors > 0) {
    output.say(`${counted(plan.errors, 'error')}: rows with errors stay here. "adslate check" shows them.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  held: 'held back',
  'has-errors': 'has errors',
  'parent-left-out': 'belongs to a row that is left out',
  'in-doubt': 'in doubt: see "adslate questions"',
  conflict: 'in conflict with the service',
  'not-offered': 'not offered by this service: do it in its own console, then refresh',
  'review-open': 'its review is open',
  'waits-for-media': 'its video is still being processed',
  'nothing-to-send': 'nothing to send yet',
  'not-chosen': 'not chosen',
};

const ADDED: Readonly<Record<string, string>> = {
  parent: 'new, and a chosen row hangs from it',
  carries: 'carries a chosen file',
  file: 'a video that a chosen profile asks for',
};

/**
 * The object of the plan. Bodies are put in as text: 1500.00 has to stay 1500.00, and a JSON writer would make
 * 1500 of it.
 */
function planJson(plan: PlanView, requests: readonly BatchView[]): string {
  const batches = requests.map((batch) => {
    const { method, path, kind, campaign } = batch;
    const body = (batch.json ?? '[]').trim();
    const head = JSON.stringify({ method, path, kind, campaign }).slice(0, -1);
    return `${head},"elements":${body.startsWith('[') ? body : `[${body}]`}}`;
  });
  const uploads = JSON.stringify(plan.uploads.map(({ file, bytes }) => ({ file, bytes })));
  const listed = (groups: PlanView['leftOut']): string =>
    JSON.stringify(
      groups.map(({ reason, rows, first }) => ({
        reason,
        rows,
        first: first.map(({ kind, label }) => ({ kind, label })),
      })),
    );
  const rest = `"uploads":${uploads},"held":${plan.held},"reviews":${plan.reviews},"added":${listed(plan.added)},"leftOut":${listed(plan.leftOut)}`;
  return `{"elements":${plan.elements},"batches":[${batches.join(',')}],${rest}}`;
}

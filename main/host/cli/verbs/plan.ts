import type { PlanView } from '../../../../shared/contract/sync.ts';
import { CAMPAIGN_OPTION, campaignIdsOf } from '../campaigns.ts';
import type { Command, Context } from '../command.ts';
import { EXIT } from '../stop.ts';
import { counted } from '../table.ts';

export const planCommand: Command = {
  name: 'plan',
  takes: '[--submit] [--campaign NAME]',
  summary: 'Shows what a sync would send, request by request, with the exact bodies. Sends nothing.',
  options: { submit: { type: 'boolean' }, ...CAMPAIGN_OPTION },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const client = await context.client();
    const workspaceId = await context.workspaceId();
    const campaignIds = await campaignIdsOf(context);
    const plan = await client.sync.plan({ workspaceId, submit: context.flag('submit'), campaignIds });
    showPlan(context, plan);
    context.output.resultText(planJson(plan));
    return EXIT.done;
  },
};

export function showPlan({ output }: Context, plan: PlanView): void {
  for (const upload of plan.uploads) output.say(`upload  ${upload.file} (${counted(upload.bytes, 'byte')})`);
  for (const batch of plan.batches) {
    output.say(
      `${batch.method.padEnd(4)}  ${batch.path}  ${batch.verb} ${counted(batch.elements, batch.kind)}  ${batch.campaign}`,
    );
  }
  for (const [reason, rows] of Map.groupBy(plan.leftOut, (row) => row.reason)) {
    output.say(
      `left out (${REASONS[reason] ?? reason}): ${rows.length <= 5 ? rows.map((row) => row.label).join(', ') : counted(rows.length, 'row')}`,
    );
  }
  const parts = [counted(plan.batches.length, 'request'), `${counted(plan.elements, 'element')}`];
  if (plan.uploads.length > 0) parts.push(counted(plan.uploads.length, 'upload'));
  if (plan.reviews > 0) parts.push(counted(plan.reviews, 'review'));
  output.say(plan.batches.length + plan.uploads.length === 0 ? 'Nothing to send.' : `${parts.join(', ')}.`);
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
};

/**
 * The object of the plan. Bodies are put in as text: 1500.00 has to stay 1500.00, and a JSON writer would make
 * 1500 of it.
 */
function planJson(plan: PlanView): string {
  const batches = plan.batches.map((batch) => {
    const { method, path, kind, campaign } = batch;
    const body = batch.json.trim();
    const head = JSON.stringify({ method, path, kind, campaign }).slice(0, -1);
    return `${head},"elements":${body.startsWith('[') ? body : `[${body}]`}}`;
  });
  const uploads = JSON.stringify(plan.uploads.map(({ file, bytes }) => ({ file, bytes })));
  const leftOut = JSON.stringify(plan.leftOut.map(({ kind, label, reason }) => ({ kind, label, reason })));
  const rest = `"uploads":${uploads},"held":${plan.held},"reviews":${plan.reviews},"leftOut":${leftOut}`;
  return `{"elements":${plan.elements},"batches":[${batches.join(',')}],${rest}}`;
}

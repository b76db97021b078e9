import { ORPCError } from '@orpc/client';
import type { ChangeRequest, RequestRow } from '../../../../shared/api/team.ts';
import { type AnyValues, fieldLabel } from '../../../../shared/model/fields.ts';
import { cellOf, changedFields, isDeleted, isNew } from '../../../../shared/model/row.ts';
import { chosenRows } from '../../../../shared/plan/sync-selection.ts';
import { EXIT_CODE, refused, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { counted, formatCellValue, isoOrNull, wordOf } from '../output.ts';
import { campaignIdsOf, readSyncOptions, SCOPE } from './plan.ts';

const NOTE = { '--note TEXT': 'Comment for your colleagues.' };
const ID = { ID: 'Number of the request, from "team request list".' };
const OF_CAMPAIGNS = { '--campaign NAME': 'Only these campaigns of the request, separated by commas.' };

const submitCommand: Command = {
  name: 'team request submit',
  takes: 'TITLE',
  purpose: 'Asks colleagues to sign off exactly what a sync would send.',
  parameters: { TITLE: 'Name of the request, for your colleagues.', ...SCOPE, ...NOTE },
  example: 'adslate team request submit "Spring bids" --campaign "Rolls brand"',
  positionals: [1, 1],
  run: async (context) => {
    const { client } = await context.atAccount();
    const { workspaceId, campaignIds, chosen } = await readSyncOptions(context);
    if (campaignIds !== null && chosen !== null)
      throw usageError("--campaign and --only can't be combined. Use one of them.");
    const ofCampaigns = campaignIds && { rows: [{ kind: 'campaign' as const, ids: [...campaignIds] }], below: true };
    const [title = ''] = context.positionals;
    const note = context.text('note') ?? '';
    const request = await client.team.requests
      .submit({ workspaceId, title, chosen: chosen ?? ofCampaigns, note })
      .catch((error: unknown) => {
        throw error instanceof ORPCError && error.code === 'NOTHING_TO_DO'
          ? refused(
              error.code,
              'Nothing to ask for: no changes can sync, or all of them are in open requests. Run "adslate team request list".',
            )
          : error;
      });
    showRequest(context, request);
    context.output.result({ request: requestJson(request) });
  },
};

const listCommand: Command = {
  name: 'team request list',
  purpose: 'Lists change requests, newest first.',
  example: 'adslate team request list --json',
  run: async ({ output, atAccount }) => {
    const { client, workspaceId } = await atAccount();
    const requests = await client.team.requests.list({ workspaceId });
    output.table(
      ['ID', 'Title', 'By', 'State', 'Rows', 'Signed off', 'Changed since'],
      requests.map(({ id, title, by, state, rows, signedOff, changedSince }) => {
        return [id, title, by.display, STATES[state], `${rows}`, `${signedOff}`, `${changedSince}`];
      }),
      'No change requests. Run "adslate team request submit" to ask for a sign-off.',
    );
    output.result({ requests: requests.map(requestJson) });
  },
};

const showCommand: Command = {
  name: 'team request show',
  takes: 'ID',
  purpose: 'Shows a change request with old and new values, and what was said.',
  parameters: ID,
  example: 'adslate team request show 3',
  positionals: [1, 1],
  run: async (context) => {
    const { output } = context;
    const { client, workspaceId } = await context.atAccount();
    const { request, rows, verdicts } = await client.team.requests.show({ workspaceId, id: idOf(context) });
    showRequest(context, request);
    const open = rows.filter(({ state }) => state !== 'sent');
    const chosen = chosenRows(open);
    const options = { workspaceId, submit: false, campaignIds: null, chosen, beforeSignOff: true };
    const plan = open.length === 0 ? null : await client.sync.plan(options);
    const shown = [];
    for (const row of rows) {
      const fields = await changesOf(context, row);
      const by = row.changedBy === null ? '' : ` by ${row.changedBy.display}`;
      output.say(`${wordOf(row.kind)} "${row.label}" (${ROW_STATES[row.state]}${by})`);
      output.say(
        fields.map(({ field, before, after }) => `  ${field}: ${before === null ? '' : `${before} -> `}${after}`),
      );
      shown.push({
        type: wordOf(row.kind),
        label: row.label,
        state: row.state,
        changedBy: row.changedBy?.display ?? null,
        fields,
      });
    }
    if (plan !== null) {
      const { budgets, uploads, errors } = plan;
      const money = (value: number): string => formatCellValue('campaign', 'dailyBudget', value);
      if (budgets.before !== budgets.after)
        output.say(`Daily budgets: ${money(budgets.before)} -> ${money(budgets.after)}.`);
      output.say(uploads.map(({ file, bytes }) => `upload  ${file} (${counted(bytes, 'byte')})`));
      if (errors > 0) output.say(`${counted(errors, 'error')}: rows with errors are not sent.`);
    }
    for (const { member, at, says, note, campaigns, signature } of verdicts) {
      const of = campaigns === null ? 'all campaigns' : campaigns.map(({ label }) => label).join(', ');
      const forged = signature === 'wrong' ? ' (wrong signature: no sign-off of this request counts)' : '';
      output.say(
        `${isoOrNull(at)}  ${member.display} ${SAID[says]}: ${of}${note === '' ? '' : `. "${note}"`}${forged}`,
      );
    }
    output.result({
      request: requestJson(request),
      rows: shown,
      budgets: plan && { before: plan.budgets.before, after: plan.budgets.after },
      uploads: plan?.uploads.map(({ file, bytes }) => ({ file, bytes })) ?? [],
      errors: plan?.errors ?? 0,
      verdicts: verdicts.map(({ member, at, says, note, campaigns, signature }) => {
        return {
          by: member.display,
          at: isoOrNull(at),
          says,
          note,
          campaigns: campaigns?.map(({ label }) => label) ?? null,
          signature,
        };
      }),
    });
  },
};

const signOffCommand: Command = {
  name: 'team request sign-off',
  takes: 'ID',
  purpose: 'Signs off a change request, or some of its campaigns.',
  parameters: { ...ID, ...OF_CAMPAIGNS, ...NOTE },
  example: 'adslate team request sign-off 3 --campaign "Rolls brand"',
  positionals: [1, 1],
  run: (context) => judge(context, 'signOff'),
};

const askCommand: Command = {
  name: 'team request ask-changes',
  takes: 'ID --note TEXT',
  purpose: 'Asks for changes before a request is signed off.',
  parameters: { ...ID, ...OF_CAMPAIGNS, '--note TEXT': 'What should change.' },
  example: 'adslate team request ask-changes 3 --note "The bids are too high"',
  positionals: [1, 1],
  run: (context) => {
    context.need('note');
    return judge(context, 'askForChanges');
  },
};

const withdrawCommand: Command = {
  name: 'team request withdraw',
  takes: 'ID',
  purpose: 'Withdraws a change request, so its rows need another one.',
  parameters: ID,
  example: 'adslate team request withdraw 3',
  positionals: [1, 1],
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const request = await client.team.requests.withdraw({ workspaceId, id: idOf(context) });
    showRequest(context, request);
    context.output.result({ request: requestJson(request) });
  },
};

async function judge(context: Context, says: 'signOff' | 'askForChanges') {
  const { client, workspaceId } = await context.atAccount();
  const campaignIds = await campaignIdsOf(context);
  const note = context.text('note') ?? '';
  const request = await client.team.requests[says]({ workspaceId, id: idOf(context), campaignIds, note });
  showRequest(context, request);
  context.output.result({ request: requestJson(request) });
  return request.changedSince > 0 ? EXIT_CODE.needsUser : EXIT_CODE.done;
}

function idOf({ positionals: [id = ''] }: Context): string {
  if (!/^\d{1,9}$/.test(id))
    throw usageError(`"${id}" is not a request. Run "adslate team request list" to list their IDs.`);
  return id;
}

function showRequest(
  { output }: Context,
  { id, title, by, state, rows, signedOff, changedSince }: ChangeRequest,
): void {
  output.say(
    `Request ${id}, "${title}", by ${by.display}: ${STATES[state]}. ${signedOff} of ${counted(rows, 'row')} signed off.`,
  );
  if (changedSince > 0)
    output.say(
      `${counted(changedSince, 'row')} changed since the sign-off. Run "adslate team request submit" for them again.`,
    );
}

const requestJson = ({ id, title, by, state, rows, signedOff, changedSince }: ChangeRequest) => ({
  id,
  title,
  by: by.display,
  state,
  rows,
  signedOff,
  changedSince,
});

const STATES: Readonly<Record<ChangeRequest['state'], string>> = {
  open: 'waiting for sign-off',
  'signed-off': 'signed off',
  'changes-asked': 'changes requested',
  withdrawn: 'withdrawn',
  closed: 'sent',
};

const ROW_STATES: Readonly<Record<RequestRow['state'], string>> = {
  open: 'waiting',
  'signed-off': 'signed off',
  'changed-since': 'changed since',
  'changes-asked': 'changes requested',
  sent: 'sent',
};

const SAID = { 'sign-off': 'signed off', changes: 'asked for changes' } as const;

/** The changes of a row on the service: the old value, null for a new row, and the new one. */
async function changesOf(context: Context, { kind, id, state }: RequestRow) {
  const row = state === 'sent' ? null : await (await context.account()).workspace.readRow({ kind, id });
  if (row === null) return [];
  const text = (values: AnyValues | null, field: string): string => formatCellValue(kind, field, cellOf(values, field));
  if (isDeleted(row)) return [{ field: 'Row', before: row.base === null ? null : 'on the service', after: 'deleted' }];
  const isCreate = isNew(row);
  const fields = isCreate
    ? Object.keys(row.values).filter((field) => cellOf(row.values, field) !== null)
    : changedFields(kind, row.dirty);
  return fields.map((field) => ({
    field: fieldLabel(field, kind),
    before: isCreate ? null : text(row.base, field),
    after: text(row.values, field),
  }));
}

export const teamRequestCommands = [
  submitCommand,
  listCommand,
  showCommand,
  signOffCommand,
  askCommand,
  withdrawCommand,
];

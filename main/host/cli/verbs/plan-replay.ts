import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanFile } from '../../../../shared/contract/plan-file.ts';
import { remoteId } from '../../../../shared/model/scalars.ts';
import { rowLabel } from '../../../../shared/rules/row-label.ts';
import { createPartnerApi, type PartnerApi } from '../../../api/partner-api.ts';
import { systemClock } from '../../../clock.ts';
import { addressRule } from '../../../media/upload/address-guard.ts';
import { createPracticeControl, type PracticeDetails } from '../../../practice/practice-control.ts';
import { type PracticeService, startPracticeService } from '../../../practice/practice-service.ts';
import { type Replayed, replayPlan } from '../../../sync/replay.ts';
import { createFileUploader, createUploadHosts } from '../../../sync/uploader.ts';
import type { Command, Context } from '../command.ts';
import { readReviewedPlan } from '../reviewed-plan.ts';
import { EXIT, Stop } from '../stop.ts';
import { counted } from '../table.ts';
import { wordOf } from '../words.ts';

export const planReplayCommand: Command = {
  name: 'plan replay',
  takes: 'FILE',
  summary:
    'Sends the requests of a plan file, in order, to a practice service that is new and empty, and shows what was accepted and what there is afterwards. The service is removed at the end. The account and its own service stay as they are; changes of rows that a new service does not have are refused.',
  options: {},
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const file = await readReviewedPlan(context, context.positionals[0] ?? '');
    const folder = await mkdtemp(join(tmpdir(), 'adslate-replay-'));
    try {
      const started = await startPracticeService(join(folder, 'service'));
      if (!started.ok) throw new Stop(EXIT.workspace, 'PRACTICE', `No practice service: ${started.error.detail}.`);
      try {
        const { replayed, after } = await replay(context, file, started.value);
        await show(context, replayed, after);
        return replayed.every(({ refused, notSent }) => refused.length === 0 && notSent === null)
          ? EXIT.done
          : EXIT.refused;
      } finally {
        await started.value.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function replay(context: Context, { plan }: PlanFile, service: PracticeService) {
  const account = await context.account();
  const api = clientOf(service);
  const control = createPracticeControl(service.controlUrl, async () => {});
  const nothingKept = { getMeta: async () => null, setMeta: async () => {} };
  const uploader = createFileUploader(
    addressRule(service.baseUrl, []),
    createUploadHosts(nothingKept, () => context.nowMs()),
    (row) => account.library.pathOf(row.values.sha256 ?? ''),
    { cut: new AbortController().signal, isLate: () => false },
  );
  const media = new Map((await account.workspace.readMedia()).map((row) => [row.id, row]));
  const advance = async (duration: string): Promise<void> => {
    const moved = await control.advance(duration);
    if (!moved.ok) throw new Stop(EXIT.workspace, 'PRACTICE', `The practice service ended: ${moved.error.detail}.`);
  };
  try {
    const replayed = await replayPlan(plan, { api, uploader, media, advance });
    const after = await control.details();
    if (!after.ok) throw new Stop(EXIT.workspace, 'PRACTICE', `The practice service ended: ${after.error.detail}.`);
    return { replayed, after: after.value };
  } finally {
    api.close();
  }
}

function clientOf(service: PracticeService): PartnerApi {
  const { account, baseUrl, headerPrefix } = service;
  const advertiserId = remoteId(account.advertiserId);
  if (advertiserId === null) throw new Error('a practice account without an advertiser id');
  const { consumerId, keyVersion } = account;
  return createPartnerApi(
    { baseUrl, advertiserId, consumerId, keyVersion, headerPrefix, timestampUnit: 'ms', signatureAlgorithm: 'RS256' },
    { secrets: async () => account, clock: systemClock },
  );
}

async function show(context: Context, replayed: readonly Replayed[], after: PracticeDetails): Promise<void> {
  const { output } = context;
  const { workspace } = await context.account();
  const labelOf = async (ref: Replayed['refused'][number]): Promise<string> => {
    const row = await workspace.readRow(ref);
    return row === null ? `${ref.kind}/${ref.id}` : rowLabel(row);
  };
  const requests = [];
  for (const { request, accepted, refused, notSent } of replayed) {
    const what = request === null ? 'upload' : `${request.method} ${request.path}  ${request.verb} ${request.kind}`;
    output.say(`${what}: ${notSent === null ? `${accepted} accepted` : `not sent, ${notSent}`}`);
    const named = [];
    for (const ref of refused) {
      const one = { type: wordOf(ref.kind), label: await labelOf(ref), message: ref.message };
      output.say(`  refused: ${one.type} "${one.label}": ${one.message}`);
      named.push(one);
    }
    requests.push({ method: request?.method ?? null, path: request?.path ?? null, accepted, refused: named, notSent });
  }
  const sum = (of: (one: Replayed) => number): number => replayed.reduce((all, one) => all + of(one), 0);
  const accepted = sum((one) => one.accepted);
  const refused = sum((one) => one.refused.length);
  const left = sum(({ notSent }) => (notSent === null ? 0 : 1));
  output.say(
    `${accepted} accepted, ${refused} refused, ${counted(left, 'request')} not sent, on a new practice service.`,
  );
  for (const { name, status } of after.campaigns) output.say(`"${name}": ${status}`);
  const campaigns = after.campaigns.map(({ name, status }) => ({ campaign: name, status }));
  output.result({ requests, accepted, refused, notSent: left, campaigns, counts: after.counts });
}

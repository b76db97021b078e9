import { startSandbox } from '../../sandbox/start.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { addLogo, addVideo, sbaDraft, videoDraft } from '../sync/a-draft.ts';
import { openAccount, type TestAccount } from '../sync/an-account.ts';
import { answerTruly, controlOf } from '../sync/control.ts';

/** Of one sort of send: how many came into doubt, and for how many of these somebody had to be asked. */
export interface Share {
  readonly kind: string;
  readonly verb: string;
  inDoubt: number;
  asked: number;
}

/** What the model of the simulator does not have: uploads, logos, video profiles and reviews. */
const WRITES = [
  ['PUT', '/api/v1/media/complete'],
  ['POST', '/api/v2/sba_profile_image_upload'],
  ['POST', '/api/v1/adGroup/media'],
  ['POST', '/api/v1/review'],
] as const;
const CANCEL = { method: 'PUT', path: '/api/v1/review' };
const SORTS: ReadonlySet<string> = new Set(['media upload', 'sbaProfile logo', 'videoProfile create']);
/** Each leaves the sender in doubt; the first two of a request that was carried out and of one that was not. */
const FAULTS = [
  { kind: 'drop-after' },
  { kind: 'drop-before' },
  { kind: 'status', status: 500, body: { error: 'There was an error processing the request' } },
  { kind: 'truncate' },
  { kind: 'garbage' },
] as const;
const ROUNDS_MAX = 8;

/** Lives of a brand and a video campaign in front of the sandbox: each of these writes meets a fault in each life. */
export async function sandboxShares(extensions: boolean, lives: number): Promise<readonly Share[]> {
  const sums = new Map<string, Share>();
  for (let life = 0; life < lives; life++) await liveOnce(life, extensions, sums);
  return [...sums.values()];
}

async function liveOnce(life: number, extensions: boolean, sums: Map<string, Share>): Promise<void> {
  const sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  const control = controlOf(sandbox);
  const capabilities = extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY;
  const account = await openAccount({ sandbox, capabilities });
  const faultOf = (at: number) => FAULTS[(life + at) % FAULTS.length];
  try {
    const [brand] = await account.create(sbaDraft(await addLogo(account)));
    const [video] = await account.create(videoDraft(await addVideo(account)));
    for (const [at, [method, path]] of WRITES.entries()) {
      await control.fault({ match: { method, path }, times: 1, ...faultOf(at) });
    }
    const settle = async (isDone: (report: Awaited<ReturnType<TestAccount['run']>>) => boolean, submit: boolean) => {
      for (let round = 0; round < ROUNDS_MAX; round++) {
        const report = await account.run({ submit });
        await answerTruly(account, sandbox);
        if (report.inDoubt === 0 && report.questions === 0 && isDone(report)) return;
        await control.advance('PT31M');
      }
      throw new Error(`life ${life} did not come to rest`);
    };
    await settle((report) => report.inReview === 2, true);
    await control.fault({ match: CANCEL, times: 1, ...faultOf(WRITES.length) });
    await account.sync.reviews.cancel([brand, video].filter((id): id is RowId => id !== undefined));
    await account.sync.idle();
    await settle(() => true, false);
    await count(account, sums);
  } finally {
    await account.close();
    await sandbox.close();
  }
}

async function count(account: TestAccount, sums: Map<string, Share>): Promise<void> {
  for (const { kind, verb, rows, receipts } of await account.workspace.outbox.readRequestLog({
    after: 0,
    count: 10_000,
  })) {
    const name = `${kind} ${verb}`;
    const classes = receipts.map((receipt) => receipt.class);
    if (!classes.includes('IN_DOUBT') || !(SORTS.has(name) || kind === 'review')) continue;
    const sum = sums.get(name) ?? { kind, verb, inDoubt: 0, asked: 0 };
    sums.set(name, sum);
    sum.inDoubt += rows.length;
    sum.asked += classes.filter((word) => word === 'ASKED').length;
  }
}

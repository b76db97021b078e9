import { expect, test } from 'vitest';
import { share } from '../share.ts';
import { autoDraft } from '../sync/a-draft.ts';
import type { TestAccount } from '../sync/an-account.ts';
import { answerTruly, type Control, countThings, onTheService } from '../sync/control.ts';
import type { HostileService } from './a-hostile-service.ts';
import { onHostileService } from './hostile-account.ts';
import { HOSTILE_ANSWERS, type HostileAnswer } from './hostile-answers.ts';

const cases = share('hostile answers', HOSTILE_ANSWERS, 16).map((answer) => [answer.id, answer.what, answer] as const);

let service: HostileService;
let control: Control;
let account: TestAccount;

onHostileService((met) => {
  ({ service, control, account } = met);
});

/** The next request to this path gets this answer, once. */
function meetOnce(path: string, { reply }: HostileAnswer): () => number {
  let met = 0;
  service.meet(async (meeting) => {
    if (meeting.method !== 'POST' || meeting.path !== path || met > 0) return null;
    met++;
    return reply(meeting, service.elsewhere);
  });
  return () => met;
}

const isStopping = (becomes: HostileAnswer['becomes']): boolean =>
  becomes === 'credentials' || becomes === 'security' || becomes === 'rate-limited';

/** Whatever happened, the next syncs bring everything there once, and nobody came where nobody should. */
async function comesToRest(): Promise<void> {
  for (let rounds = 0; rounds < 4; rounds++) {
    const report = await account.run();
    await answerTruly(account, service.sandbox);
    const { changed } = await account.workspace.summary();
    if (changed === 0 && report.questions === 0) break;
  }
  const counts = countThings(await onTheService(service.sandbox));
  expect(Object.entries(counts).filter(([, count]) => count !== 1)).toEqual([]);
  expect(Object.keys(counts)).toHaveLength(6);
  expect(await account.workspace.summary()).toMatchObject({ changed: 0 });
  expect(service.strangers).toEqual([]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
}

test.each(cases)('fault %s: %s, for what can be read', async (_id, _what, answer) => {
  await account.create(autoDraft());
  const met = meetOnce('/api/v1/adItems', answer);
  const report = await account.run();
  expect(met()).toBe(1);
  expect(report.questions).toBe(0);
  if (answer.becomes === 'refused') {
    expect(report.refused.map(({ kind }) => kind)).toEqual(['adItem', 'adItem']);
    for (const { message } of report.refused) expect(message.length).toBeLessThanOrEqual(500);
  } else if (isStopping(answer.becomes)) {
    expect(report).toMatchObject({ state: 'stopped', stoppedBy: { cause: answer.becomes } });
  } else {
    expect(report).toMatchObject({ state: 'finished', done: 6, refused: [], inDoubt: 0 });
  }
  await comesToRest();
});

test.each(cases)('fault %s: %s, for what cannot be read', async (_id, _what, answer) => {
  await account.create(autoDraft());
  const met = meetOnce('/api/v1/campaigns', answer);
  const report = await account.run();
  expect(met()).toBe(1);
  const isStopped = isStopping(answer.becomes);
  if (isStopped) expect(report).toMatchObject({ state: 'stopped', stoppedBy: { cause: answer.becomes }, done: 0 });
  else if (answer.becomes === 'doubt') expect(report).toMatchObject({ done: 0, inDoubt: 0, questions: 1 });
  else if (answer.becomes === 'refused') expect(report.refused).toHaveLength(1);
  else expect(report).toMatchObject({ done: 6, refused: [], questions: 0 });
  // Nothing below it left before it was known to be there.
  if (answer.becomes !== 'done' && answer.becomes !== 'later') {
    const below = (await control.requests()).filter(({ path }) => path === '/api/v1/adGroups');
    expect(below).toEqual([]);
  }
  await comesToRest();
});

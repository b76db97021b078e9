import { expect } from 'vitest';
import { conform } from './case.ts';
import { type Answer, createClient, outcomes } from './client.ts';
import { type DocumentError, listDocumentErrors } from './document-errors.ts';
import { errorKey, messageKeysOf } from './keys.ts';
import { createProvocations } from './provocations.ts';
import { aCampaign, createWorld } from './world.ts';

/** "Errors", line by line: each text under its status from its operation, in words that were copied from the document. */
const world = createWorld();
const provocations = createProvocations(world);

const UNEXPECTED = 'There was an error processing the request';

for (const error of listDocumentErrors()) {
  const { operation, status, text } = error;
  const { byText } = provocations[operation];
  const provoke = byWhoCalls(error) ?? byText[text];
  const reason = provoke === undefined ? reasonToOrder(error) : null;
  conform(`Errors, ${operation}`, `${status} ${text}${reason === null ? '' : ` (ordered: ${reason})`}`, async () => {
    const answer = provoke === undefined ? await order(error) : await provoke();
    if (status === 200 && provoke !== undefined) expect(outcomes(answer)).toEqual([text]);
    else expect([answer.status, answer.body]).toEqual([status, { error: text }]);
  }).proves(errorKey(error), ...(provoke === undefined ? [] : messageKeysOf(text)));
}

/** Why a text has to be ordered as a fault. A line of the document without way or reason is a gap in this suite. */
function reasonToOrder({ operation, status, text }: DocumentError): string {
  if (status === 500 || (status === 200 && /^(?:Exception|There was)/.test(text)))
    return 'a healthy service never says it';
  if (status === 429) return 'only changes are counted';
  const reason = provocations[operation].elsewhere?.[text];
  if (reason === undefined) throw new Error(`nothing brings about ${operation} ${status} ${text}`);
  return reason;
}

/** Refusals that follow from the caller and not from what is called. */
function byWhoCalls({ operation, status, text }: DocumentError): (() => Promise<Answer>) | undefined {
  const { call, method } = provocations[operation];
  if (text === 'User not Authenticated') {
    return () =>
      call(
        createClient(world.sandbox().ready.baseUrl, world.account('owner'), { headers: { authorization: undefined } }),
      );
  }
  if (text.startsWith('AdOps')) return () => call(world.as('adOps'));
  if (text === "You don't have access to this advertiser") return () => call(world.as('stranger'));
  if (status !== 429 || method === 'GET') return undefined;
  return async () => {
    await world.control('POST', '/rate', { operationsPerHour: 1 });
    await world.as('owner').post('/api/v1/campaigns', [aCampaign()]);
    return call(world.as('owner'));
  };
}

/** A fault without a body answers with the document's text for its call where there is one; any other text is named. */
async function order({ operation, status, text }: DocumentError): Promise<Answer> {
  const { method, path, call } = provocations[operation];
  const hasOwnText = status === 500 && text === UNEXPECTED && !path.endsWith('upload');
  const body = hasOwnText ? {} : { body: { error: text } };
  const fault = { match: { method, path }, kind: 'status', status, ...body };
  expect((await world.control('POST', '/faults', fault)).status).toBe(200);
  return call(world.as('owner'));
}

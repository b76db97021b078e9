import { type AnyRouter, createRouterClient, implement, isProcedure } from '@orpc/server';
import type { Client } from '../../../renderer/transport/connection.ts';
import { type Contract, contract } from '../../../shared/contract/contract.ts';

/** Makes operations of the contract; what they answer passes the contract's own checks. */
export const os: ReturnType<typeof implement<Contract>> = implement(contract);

/** Operations that answer otherwise than the account in memory, in the tree of the contract: `{ sync: { report } }`. */
export type Answers = AnyRouter;

/** The client of the account in memory, with some of its operations answered by the example that is shown. */
export function answering(client: Client, answers: Answers): Client {
  return preferring(answers, createRouterClient(answers, { context: {} }), client) as Client;
}

/** Follows both clients down the tree and hands out the example's operation wherever it has one. */
function preferring(answers: unknown, own: unknown, other: unknown): unknown {
  return new Proxy(other as object, {
    get: (target, key) => {
      const answer: unknown = Reflect.get(answers as object, key);
      const usual: unknown = Reflect.get(target, key);
      if (answer === undefined) return usual;
      const mine: unknown = Reflect.get(own as object, key);
      return isProcedure(answer) ? mine : preferring(answer, mine, usual);
    },
  });
}

/** For what is still on its way: an answer that never comes. */
export const never = (): Promise<never> => new Promise(() => {});

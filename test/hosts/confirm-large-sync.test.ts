import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import {
  CONFIRM_ABOVE,
  isSyncConfirmed,
  LARGE_SYNC_DETAIL,
  largeSyncQuestion,
  type SyncSize,
} from '../../main/app/confirm-large-sync.ts';
import { createTerminalPrompt } from '../../main/hosts/web/login-link.ts';
import type { AnyValues } from '../../shared/model/fields.ts';

/** What main asks outside every window before it sends much: when, and on the web host where. */
test('the question names the account, the elements and the money', () => {
  expect(largeSyncQuestion('Shop', { creates: 1200, budgetCents: 10_000_050 }, 'en-US')).toBe(
    'Create 1,200 new rows with budgets of $100,000.50 in Shop?',
  );
  expect(largeSyncQuestion('Shop', { creates: 1200, budgetCents: 10_000_050 }, 'de-DE')).toContain('100.000,50');
  expect(LARGE_SYNC_DETAIL).toContain('spend money');
});

describe('a run that creates much', () => {
  const planOf = (...creates: readonly number[]) => {
    const left = [...creates];
    return async () => {
      const count = left.length > 1 ? left.shift() : left[0];
      const elements = Array.from({ length: count ?? 0 }, () => ({ kind: 'keyword' as const, changed: [], sent: {} }));
      return {
        plan: {
          batches: [
            { verb: 'create' as const, elements },
            { verb: 'update' as const, elements: elements.slice(0, 2) },
          ],
        },
      };
    };
  };

  test('up to the limit goes without a question', async () => {
    expect(await isSyncConfirmed(planOf(CONFIRM_ABOVE.creates), () => Promise.reject(new Error('asked')))).toEqual(
      CONFIRM_ABOVE,
    );
  });

  test('above it, the answer decides', async () => {
    const asked: number[] = [];
    const answer =
      (isYes: boolean) =>
      async ({ creates }: SyncSize) => {
        asked.push(creates);
        return isYes;
      };
    expect(await isSyncConfirmed(planOf(501), answer(false))).toBeNull();
    expect(await isSyncConfirmed(planOf(501), answer(true))).toMatchObject({ creates: 501 });
    expect(asked).toEqual([501, 501]);
  });

  test('what was added while the question stood is asked about again', async () => {
    const asked: number[] = [];
    const isSent = await isSyncConfirmed(planOf(600, 9000), async ({ creates }) => {
      asked.push(creates);
      return creates < 1000;
    });
    expect([isSent, asked]).toEqual([null, [600, 9000]]);
  });

  describe('or commits much money', () => {
    const campaign = (changed: readonly string[], sent: AnyValues) => ({ kind: 'campaign' as const, changed, sent });
    const asked = async (
      verb: 'create' | 'update',
      ...elements: ReturnType<typeof campaign>[]
    ): Promise<readonly number[]> => {
      const budgets: number[] = [];
      await isSyncConfirmed(
        async () => ({ plan: { batches: [{ verb, elements }] } }),
        async ({ budgetCents }) => {
          budgets.push(budgetCents);
          return true;
        },
      );
      return budgets;
    };

    test('the larger budget of each campaign counts, of new ones and of those whose budget changes', async () => {
      const half = campaign([], { totalBudget: 5_000_000, dailyBudget: 1_000 });
      expect(await asked('create', half, half)).toEqual([]);
      expect(await asked('create', half, half, campaign([], { totalBudget: null, dailyBudget: 1 }))).toEqual([
        10_000_001,
      ]);
      expect(await asked('update', campaign(['dailyBudget'], { dailyBudget: 10_000_001 }))).toEqual([10_000_001]);
    });

    test('a budget that stays as it is counts for nothing', async () => {
      expect(await asked('update', campaign(['name'], { dailyBudget: 99_000_000 }))).toEqual([]);
    });
  });
});

describe('the terminal of the web host', () => {
  function aTerminal() {
    const input = new PassThrough();
    const said: string[] = [];
    const links: string[] = [];
    const terminal = createTerminalPrompt({
      input,
      say: (line) => void said.push(line),
      onLine: () => void links.push('link'),
      onInterrupt: () => {},
    });
    return { input, said, links, terminal };
  }

  test('asks one question after the other; only yes is yes, and other lines ask for a link', async () => {
    const { input, said, links, terminal } = aTerminal();
    input.write('\n');
    await vi.waitFor(() => expect(links).toEqual(['link']), { timeout: 120_000 });
    const answers = Promise.all(['Send 600?', 'Send 700?', 'Send 800?'].map(terminal.ask));
    expect(said).toEqual([expect.stringMatching(/^Send 600\? Type "yes"/)]);
    input.write('Yes \ny\n\n');
    expect(await answers).toEqual([true, false, false]);
    expect([said.length, links.length]).toEqual([3, 1]);
    terminal.close();
  });

  test('that goes away has said no', async () => {
    const { input, terminal } = aTerminal();
    const answer = terminal.ask('Send 600?');
    input.end();
    expect(await answer).toBe(false);
    expect(await terminal.ask('Send 700?')).toBe(false);
  });
});

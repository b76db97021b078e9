import { describe, expect, test } from 'vitest';
import { batchNotifications, createSyncIndicators, isQuietHour } from '../../main/hosts/electron/sync-indicators.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';

/** Notes of the system in the desktop app, without the runtime. */
describe('what happened by itself', () => {
  function aDesktop() {
    const shown: string[] = [];
    const due: (() => void)[] = [];
    let quiet = false;
    const note = batchNotifications({
      show: (workspaceId, title, body, place) => void shown.push(`${workspaceId} ${place} ${title}: ${body}`),
      isQuiet: () => quiet,
      later: (_, run) => void due.push(run),
    });
    return {
      signs: createSyncIndicators({ setBar: () => undefined, isInFront: () => false, note }),
      shown,
      pass: () => {
        for (const run of due.splice(0)) run();
      },
      setQuiet: (now: boolean) => {
        quiet = now;
      },
    };
  }
  const acme = asWorkspaceId('acme');
  const ready = { type: 'media.finished', workspaceId: acme, ready: 2, failed: 1 } as const;
  const refused = { type: 'access.refused', workspaceId: acme } as const;
  const report = {
    type: 'report.job',
    workspaceId: acme,
    snapshotId: 'S1',
    state: 'ready',
    at: 0,
    text: 'The report "keyword" is ready.',
    isNews: true,
  } as const;

  test('a ready video, a refused token and a ready report are told of, each with its place', () => {
    const { signs, shown, pass } = aDesktop();
    signs.hear(ready);
    expect(shown).toEqual([]);
    pass();
    signs.hear(refused);
    pass();
    signs.hear(report);
    signs.hear({ ...report, isNews: false });
    pass();
    expect(shown).toEqual([
      'acme media Videos: 2 ready, 1 cannot be used.',
      'acme access Access refused: The service no longer takes the token or the key.',
      'acme reports Reports: 1 ready.',
    ]);
  });

  test('what happens together is one note, which leads to what presses most; another account has its own', () => {
    const { signs, shown, pass } = aDesktop();
    signs.hear(ready);
    signs.hear({ ...ready, workspaceId: asWorkspaceId('other') });
    signs.hear({ type: 'reviews.decided', workspaceId: acme, approved: 0, rejected: 1 });
    pass();
    expect(shown).toEqual([
      'acme reviews 2 things happened: Videos: 2 ready, 1 cannot be used.\nReviews decided: 1 rejected.',
      'other media Videos: 2 ready, 1 cannot be used.',
    ]);
  });

  test('nothing pops up in quiet hours, and what follows them does', () => {
    const { signs, shown, pass, setQuiet } = aDesktop();
    setQuiet(true);
    signs.hear(ready);
    pass();
    expect(shown).toEqual([]);
    setQuiet(false);
    signs.hear(refused);
    pass();
    expect(shown).toHaveLength(1);
  });

  test('quiet hours go by the clock on the wall', () => {
    const night = { from: '20:00', to: '07:00' };
    expect(isQuietHour(night, new Date(2030, 0, 1, 23, 30))).toBe(true);
    expect(isQuietHour(night, new Date(2030, 0, 1, 12))).toBe(false);
    expect(isQuietHour(null, new Date(2030, 0, 1, 23, 30))).toBe(false);
  });
});

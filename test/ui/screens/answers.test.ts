import { ORPCError } from '@orpc/client';
import { expect as check, onTestFinished, test } from 'vitest';
import { changeLocale, localeTag } from '../../../renderer/app/locale/current.ts';
import type { Client, Connection } from '../../../renderer/app/transport/connection.ts';
import { aFilm } from '../../media/builders.ts';
import { after } from '../answering.ts';
import { type App, openApp, step } from '../app.tsx';
import { clipboard, expect, page } from '../page.ts';

/** A connection that writes down what main is asked. */
function recorded(usual: Connection): { readonly connection: Connection; readonly asked: string[] } {
  const asked: string[] = [];
  const follow = <T extends object>(tree: T, path: string): T =>
    new Proxy(tree, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name);
        const isNamed = typeof name === 'string' && (typeof found === 'object' || typeof found === 'function');
        return isNamed && found !== null ? follow(found, path === '' ? name : `${path}.${name}`) : found;
      },
      apply: (target, self, args) => {
        asked.push(path);
        return Reflect.apply(target as never, self, args);
      },
    });
  const client: Client = follow(usual.client, '');
  return { connection: { ...usual, client }, asked };
}

test('an edit of a cell is one request, after which only what counts cells or issues is asked for again', async () => {
  let asked: string[] = [];
  const app = await openApp({
    connection: (usual) => {
      const made = recorded(usual);
      ({ asked } = made);
      return made.connection;
    },
  });
  await app.newManual('Pots', 'red pot\nred pan\nblue lid');
  await app.openKeywords();
  await (await app.cell('red pot', 'Bid')).click();
  // The details of the row are read beside the grid.
  await check.poll(() => asked.includes('views.totals') && asked.includes('notes.labels')).toBe(true);
  asked.length = 0;
  await page.keyboard.type('2.25');
  await page.keyboard.press('Enter');
  await expect(await app.cell('red pot', 'Bid')).toHaveText('$2.25');
  await check.poll(() => asked.includes('workspace.summary') && asked.includes('views.totals')).toBe(true);
  check(asked.filter((path) => path === 'workspace.edit')).toHaveLength(1);
  const lists = ['workspace.openView', 'workspace.readWindow', 'views.saved', 'notes.labels', 'accounts.profile'];
  check(asked.filter((path) => lists.includes(path))).toEqual([]);
});

test('the box that narrows a list stays while the answer to what was typed is on its way', async () => {
  const held = Promise.withResolvers<void>();
  let isAsked = false;
  const app = await openApp({
    main: ({ workspace }) => ({
      'workspace.history': after(({ words = '' }) => {
        if (words === '') return null;
        isAsked = true;
        return held.promise;
      }, workspace.history),
    }),
  });
  await app.newManual('Pots', 'red pot');
  await app.drawer.getByRole('tab', { name: 'History' }).click();
  const box = app.drawer.getByRole('textbox');
  await box.fill('pot');
  await check.poll(() => isAsked).toBe(true);
  await expect(box).toHaveValue('pot');
  held.resolve();
  await expect(box).toHaveValue('pot');
});

test('what fails is told, and for as long as it is open, that an account cannot be written', async () => {
  const broken = async () => {
    throw new ORPCError('INTERNAL_SERVER_ERROR');
  };
  const saw: string[] = [];
  const app = await openApp({
    main: () => ({
      'backups.condition': async () => ({ writable: false, notes: [] }),
      'views.saved': broken as never,
      'checklist.seeOverview': async () => {
        saw.push('overview');
        return null;
      },
      'checklist.get': async () => ({ done: [], closed: false }),
    }),
  });

  await step('an answer that fails for no declared reason', async () => {
    await expect(page.getByText('Something went wrong')).toBeVisible();
  });

  await step('what nobody waits for', async () => {
    const reason = new ORPCError('NO_BACKUP', { data: {} });
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
    await expect(page.getByText('This backup no longer exists')).toBeVisible();
  });

  await step('an account that cannot be written does not say that edits are saved', async () => {
    const strip = page.getByRole('contentinfo');
    await expect(strip).toContainText('Read-only');
    await expect(strip).not.toContainText('All edits saved');
  });

  await step('it says before a press that nothing can be sent', async () => {
    const plan = page.getByRole('button', { name: /^Sync plan$|^Up to date$/ });
    await expect(plan).toHaveAttribute('title', /^Adslate can't write to this account\./);
    await plan.click();
    const main = page.getByRole('main');
    await expect(main).toContainText("Adslate can't write to this account. You can view and export");
    await expect(main.getByRole('button', { name: /^Sen[dt]/ })).toBeDisabled();
    await page.keyboard.press('Escape');
  });

  await step('first steps send nothing that such an account would refuse', async () => {
    await app.command('Overview');
    await expect(page.getByRole('region', { name: 'Get to know Adslate' })).toBeVisible();
    await page.keyboard.press('Control');
    expect(saw).toEqual([]);
  });
});

test('totals that are answered after those of a later edit are not shown', async () => {
  const held = Promise.withResolvers<void>();
  const asked: Promise<unknown>[] = [];
  let isHeld = false;
  const app = await openApp({
    main: ({ views }) => ({
      'views.totals': (...call) => {
        const isSlow = isHeld;
        const answer = views.totals(...call).then((found) => (isSlow ? held.promise.then(() => found) : found));
        asked.push(answer);
        return answer;
      },
    }),
  });
  await app.newManual('Pots', 'red pot\texact\t1.00\nblue pot\texact\t1.00');
  await app.openKeywords();
  const totals = page.getByRole('region', { name: 'Totals of all rows' });
  await expect(totals).toContainText('Average of bid in 2 rows: $1.00');
  const before = asked.length;
  isHeld = true;
  await app.edit({ kind: 'keyword' }, 'bid', 200);
  await check.poll(() => asked.length).toBeGreaterThan(before);
  isHeld = false;
  await app.edit({ kind: 'keyword' }, 'bid', 300);
  await expect(totals).toContainText('Average of bid in 2 rows: $3.00');
  held.resolve();
  await Promise.allSettled(asked);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(totals).toContainText('Average of bid in 2 rows: $3.00');
});

test('a step for every campaign says that it reads them', async () => {
  let held = Promise.withResolvers<void>();
  let isHeld = false;
  const app = await openApp({
    main: ({ launch }) => ({
      'launch.list': after(() => (isHeld ? held.promise : null), launch.list),
    }),
  });
  const values = { name: 'Pots', campaignType: 'sponsoredProducts', startDate: '2099-05-04' };
  await app.add('Pots', [{ kind: 'campaign', parent: null, values }]);
  await page.keyboard.press('Alt+8');
  const menu = page.getByRole('button', { name: /missing steps? of Pots/ });
  await menu.click();
  isHeld = true;
  await page.getByRole('menuitem', { name: 'Add an ad group to every campaign without one' }).click();
  await expect(page.getByRole('button', { name: 'Reading campaigns…' })).toBeDisabled();
  held.resolve();
  await expect(page.getByText(/^1 ad group added\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reading campaigns…' })).toHaveCount(0);

  await step('and takes them in their account, also when another is open by then', async () => {
    const { workspaceId } = app;
    const groups = async () =>
      (await app.client().workspace.openView({ workspaceId, view: { kind: 'adGroup' } })).length;
    await app.client().workspace.undo({ workspaceId });
    await menu.click();
    const everywhere = page.getByRole('menuitem', { name: 'Add an ad group to every campaign without one' });
    // Once the list has read what the undo took away: held before that, it would never show the step.
    await expect(everywhere).toBeVisible();
    held = Promise.withResolvers<void>();
    await everywhere.click();
    await app.openSecondAccount();
    held.resolve();
    await check.poll(groups).toBe(1);
  });
});

test('the keyword overlap keeps its pair of campaigns open when others share more by then', async () => {
  let more = 0;
  const app = await openApp({
    main: ({ views }) => ({
      'views.sharedKeywords': async (...call) => ({
        ...(await views.sharedKeywords(...call)),
        more,
      }),
      'views.keywordOverlap': async (...call) => {
        const found = await views.keywordOverlap(...call);
        return { ...found, campaigns: found.campaigns + more };
      },
    }),
  });
  await app.newManual('Pots', 'red\nblue');
  await app.newManual('Pans', 'red');
  await app.newManual('Lids', 'green');
  await app.command('Keyword overlap');
  await page.getByRole('gridcell', { name: 'Pots and Pans: 1 shared keyword' }).click();
  const shared = page.getByRole('complementary', { name: 'Shared keywords' });
  await expect(shared.getByRole('heading', { name: 'Pots and Pans: 1 shared keyword' })).toBeVisible();
  const { workspaceId } = app;
  const rows = await app.rows({ kind: 'adGroup', filter: 'Lids' }, 1);
  await app.add(
    'Keywords',
    ['red', 'blue'].flatMap((text) =>
      rows.map(({ id }) => ({
        kind: 'keyword' as const,
        parent: { id },
        values: { text, matchType: 'broad', bid: 150, state: 'enabled' },
      })),
    ),
  );
  await expect(page.getByRole('gridcell', { name: /Pots and Lids|Lids and Pots/ }).first()).toBeVisible();
  await expect(shared.getByRole('heading', { name: 'Pots and Pans: 1 shared keyword' })).toBeVisible();

  await step('what is left out, in the right number', async () => {
    more = 1;
    await app.client().workspace.undo({ workspaceId });
    await expect(page.getByText(/^Only the \d that share most are in the matrix\. 1 is not\.$/)).toBeVisible();
    await expect(shared).toContainText('1 more is not listed.');
  });
});

test('a matrix whose rows cannot be read says so, and reads them when it is told to', async () => {
  let broken: string | null = null;
  const app = await openApp({
    main: ({ workspace }) => ({
      'workspace.openView': async (input, ...more) => {
        if (input.view.kind !== broken) return workspace.openView(input, ...more);
        throw new ORPCError('NOT_WRITABLE', { defined: true, data: { why: 'disk-full' } });
      },
    }),
  });
  await app.newManual('Pots', 'red pot\texact\t1.00');
  for (const [kind, tab, content] of [
    ['keyword', /^Keywords/, page.getByLabel('Bid of "red pot", Exact')],
    ['adGroup', /^Keywords/, page.getByLabel('Bid of "red pot", Exact')],
    ['platformMultiplier', /^Placement/, page.getByLabel('Example bid')],
    ['keyword', /^Placement/, page.getByLabel('Example bid')],
  ] as const)
    await step(`${kind} of ${tab}`, async () => {
      await app.reload();
      await app.openCampaign('Pots');
      await page.getByRole('tab', { name: tab }).click();
      broken = kind;
      await page.getByRole('button', { name: 'Matrix' }).click();
      await expect(page.getByText('The disk is full.')).toBeVisible();
      broken = null;
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(content).toBeVisible();
    });
});

test('lists that end before the account does say how much of it they have', async () => {
  let isLarge = false;
  const app = await openApp({
    main: ({ workspace }) => ({
      'workspace.history': async (...call) => ({
        ...(await workspace.history(...call)),
        total: 6001,
      }),
      'workspace.openView': async (...call) => {
        const opened = await workspace.openView(...call);
        return isLarge ? { ...opened, length: 5001 } : opened;
      },
    }),
  });
  await app.newManual('Pots', 'red pot\nblue pot');
  await app.openKeywords();
  const { workspaceId } = app;
  const rows = await app.rows({ kind: 'keyword' }, 1);
  for (let bid = 101; bid <= 310; bid += 1) {
    const changes = rows.map(({ id }) => ({ kind: 'keyword' as const, id, field: 'bid', value: bid }));
    await app.client().workspace.edit({ workspaceId, label: 'Bid', changes });
  }
  isLarge = true;
  await page.getByRole('button', { name: 'Matrix' }).click();
  await expect(page.getByText(/^The matrix has the first 2 of 5,001 keywords\./)).toBeVisible();
  await page.keyboard.press('Alt+W');
  const right = page.getByRole('region', { name: 'Right side' });
  await expect(right.getByText('The first 1 of 5,001 campaigns, by name.')).toBeVisible();
  await right.getByLabel('Right side').first().click();
  await page.getByRole('option', { name: 'At an earlier moment' }).click();
  await expect(right.getByText(/^The last 211 of 6,001 edits\./)).toBeVisible();
  await right.getByLabel('After this edit').first().click();
  await expect(page.getByRole('option', { name: 'Before the oldest edit' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+Shift+W');
  await expect(page.getByText(/^The last 211 of 6,001 edits\. Backups have earlier ones\./)).toBeVisible();
});

test('a list of campaigns to compare that ends before the account says so, and finds the others', async () => {
  const app = await openApp();
  const names = Array.from({ length: 201 }, (_, at) => `Pots ${String(at + 1).padStart(3, '0')}`);
  const rows = names.map((name) => ({
    kind: 'campaign' as const,
    parent: null,
    values: { name, campaignType: 'sponsoredProducts', targetingType: 'manual' },
  }));
  await app.add('Pots', rows);
  await page.keyboard.press('Alt+W');
  const right = page.getByRole('region', { name: 'Right side' });
  const hint = right.getByText('The list shows 200 of 201 campaigns. Enter part of a name to find the others.');
  await expect(hint).toBeVisible();
  await right.getByLabel('Campaign').first().fill('201');
  await expect(page.getByRole('option', { name: 'Pots 201' })).toBeVisible();
});

test('a folder is watched for the account of its dialog, also when another one is open by then', async () => {
  const chosen = Promise.withResolvers<{ readonly grant: string }>();
  const asked: string[] = [];
  const app = await openApp({
    connection: (usual) => ({ ...usual, files: { ...usual.files, chooseFolder: () => chosen.promise } }),
    main: ({ watchedFolder }) => ({
      'watchedFolder.set': ({ workspaceId, on }) => {
        asked.push(workspaceId);
        return watchedFolder.set({ workspaceId, on });
      },
    }),
  });
  await app.command('watched folder');
  await page.getByRole('button', { name: 'Choose folder…' }).click();
  await app.openSecondAccount();
  chosen.resolve({ grant: 'a folder' });
  await check.poll(() => asked).toEqual([app.workspaceId]);
});

test('work that ends once another account is open stays in its own, and does not lead away from the other', async () => {
  let held = Promise.resolve();
  let asked = Promise.withResolvers<void>();
  let isPaused = false;
  const wait = async <T>(made: Promise<T>): Promise<T> => {
    const answer = await made;
    asked.resolve();
    await held;
    return answer;
  };
  const app = await openApp({
    main: ({ workspace, bulk, notes, launch }) => ({
      'workspace.edit': (...call) => wait(workspace.edit(...call)),
      'workspace.create': (...call) => wait(workspace.create(...call)),
      'notes.saveLabel': (...call) => wait(notes.saveLabel(...call)),
      'bulk.apply': (...call) => wait(bulk.apply(...call)),
      // As if each campaign had been approved and paused.
      'launch.list': async (...call) => {
        const page = await launch.list(...call);
        const enable = (id: (typeof page.launches)[number]['campaignId']) =>
          ({ step: 'enable', minutes: 0, least: 0, fix: { way: 'write', id, values: { status: 'enabled' } } }) as const;
        return isPaused
          ? { ...page, launches: page.launches.map((each) => ({ ...each, missing: [enable(each.campaignId)] })) }
          : page;
      },
    }),
  });
  const switcher = page.getByRole('button', { name: 'Switch account' });
  const open = async (name: RegExp): Promise<void> => {
    await switcher.click();
    await page.getByRole('menuitem', { name }).click();
  };
  const opensAnotherMeanwhile = async (work: () => Promise<void>, show = async () => {}): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    [held, asked] = [promise, Promise.withResolvers()];
    await work();
    await asked.promise;
    await open(/Practice 2/);
    await expect(page.getByRole('main', { name: 'Overview' })).toBeVisible();
    await show();
    const before = await page.getByRole('main').getAttribute('aria-label');
    resolve();
    // What follows the answer is done before the next key.
    await page.keyboard.press('Control');
    await expect(page.getByRole('main', { name: before ?? '' })).toBeVisible();
  };
  await app.openSecondAccount();
  await open(/^Practice(?! 2)/);
  await expect(switcher).not.toContainText('Practice 2');
  await app.newManual('Pots', 'red pot');
  await app.openKeywords();
  await step('rows that are added', () =>
    opensAnotherMeanwhile(async () => {
      await app.command('Add rows');
      await page.getByLabel(/^Keywords/).fill('blue lid');
      await page.keyboard.press('Control+Enter');
    }),
  );
  await open(/^Practice(?! 2)/);
  await app.openCampaign('Pots');
  await app.openKeywords();
  await (await app.cell('red pot', 'Keyword')).click();
  await step('rows that are copied', () =>
    opensAnotherMeanwhile(async () => {
      await page.keyboard.press('Alt+Shift+D');
      await app.details.getByLabel('Find campaign').fill('Pots');
      await app.details.getByLabel('Pots').check();
      await app.details.getByRole('button', { name: /^Copy \d/ }).click();
    }),
  );
  await open(/^Practice(?! 2)/);
  await app.openCampaign('Pots');
  await app.openKeywords();
  await step('an edit of many rows closes no pane', async () => {
    await opensAnotherMeanwhile(
      async () => {
        await (await app.cell('red pot', 'Bid')).click();
        await app.command('adjust bids');
        await app.details.getByLabel('Formula').fill('+10%');
        await app.details.getByRole('button', { name: /^Apply to \d/ }).click();
      },
      () => app.openList('Campaigns'),
    );
    await expect(app.details).toBeVisible();
  });
  await open(/^Practice(?! 2)/);
  await app.openCampaign('Pots');
  await app.openKeywords();
  const firstKeyword = async () => (await app.rows({ kind: 'keyword', filter: '"red pot"' }, 1))[0];
  await step('a new label is put on its rows', async () => {
    await opensAnotherMeanwhile(async () => {
      await (await app.cell('red pot', 'Keyword')).click();
      await app.details.getByRole('tab', { name: 'Details' }).click();
      await app.details.getByLabel('New label').fill('Spring');
      await page.keyboard.press('Enter');
    });
    await check.poll(async () => (await firstKeyword())?.labels?.length).toBe(1);
  });
  await open(/^Practice(?! 2)/);
  isPaused = true;
  await step('a campaign that is enabled opens no plan', () =>
    opensAnotherMeanwhile(async () => {
      await page.keyboard.press('Alt+8');
      await page.getByRole('main', { name: 'Launch' }).getByRole('button', { name: 'Enable', exact: true }).click();
    }),
  );
});

test('values that are typed before the clipboard is read, or not allowed to be, stay', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot');
  await app.openKeywords();
  await (await app.cell('red pot', 'Bid')).click();
  const { readText } = clipboard;
  onTestFinished(() => void Object.assign(clipboard, { readText }));
  const values = app.details.getByLabel('Values');
  for (const isAllowed of [true, false]) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    Object.assign(clipboard, { readText: () => promise });
    await app.command('paste special');
    await values.fill('1.75');
    if (isAllowed) resolve('9.99');
    else reject(new DOMException('denied', 'NotAllowedError'));
    await page.keyboard.press('Control');
    await expect(values).toHaveValue('1.75');
    await page.keyboard.press('Escape');
  }
});

/** Adds a video to the media library and opens its editor. */
async function editVideo(app: App): Promise<void> {
  await page.keyboard.press('Alt+M');
  const dialog = page.getByRole('dialog', { name: 'Add files' });
  await dialog
    .locator('input[type=file]')
    .setInputFiles([new File([new Uint8Array(aFilm({ durationMs: 12_000 }))], 'clip.mp4')]);
  await expect(dialog.getByRole('listitem')).toContainText('clip.mp4');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await openEditor(app);
}

async function openEditor(app: App): Promise<void> {
  await app.openList('Media');
  await page.getByRole('option', { name: 'clip.mp4' }).click();
  await page.getByRole('button', { name: 'Edit video: captions, length, poster' }).click();
}

const captions = page.getByRole('region', { name: 'Captions' });
const addCaption = captions.getByRole('button', { name: 'Add caption here' });

/** Gives the video in the editor a caption. */
async function useCaption(): Promise<void> {
  await addCaption.click();
  await captions.getByLabel('Text of caption 1').fill('Red pots');
  await captions.getByRole('button', { name: 'Use captions' }).click();
  await expect(page.getByText('The captions are in use.')).toBeVisible();
}

test('a video that is too long is trimmed from where it is added, the library, the issues and the inbox, which has no field for its details', async () => {
  const app = await openApp();
  await page.keyboard.press('Alt+M');
  const dialog = page.getByRole('dialog', { name: 'Add files' });
  await dialog
    .locator('input[type=file]')
    .setInputFiles([new File([new Uint8Array(aFilm({ durationMs: 50_000 }))], 'clip.mp4')]);
  await dialog.getByRole('button', { name: 'Trim video' }).click();
  const editor = page.getByRole('heading', { level: 1, name: 'clip.mp4' });
  await expect(editor).toBeVisible();
  await page.keyboard.press('Alt+2');
  const detail = page.getByRole('main', { name: 'Inbox' }).locator('[data-detail]');
  await expect(detail).toContainText('must be at most 45 s');
  await expect(detail.getByRole('textbox')).toHaveCount(0);
  await expect(detail).toContainText('Trim it in Adslate, or use a shorter cut.');
  await detail.getByRole('button', { name: 'Trim video' }).click();
  await expect(editor).toBeVisible();
  await app.openList('Media');
  await page.getByRole('option', { name: 'clip.mp4' }).click();
  await page.getByRole('complementary').getByRole('button', { name: 'Trim video' }).click();
  await expect(editor).toBeVisible();
  const issues = page.getByRole('list', { name: 'Issues' });
  for (const name of ['Trim video', 'Trim video: clip']) {
    await app.openList('Media');
    await app.drawer.getByRole('tab', { name: /^Issues/ }).click();
    if (name !== 'Trim video') await issues.getByRole('button', { name: /^(?!More).*Video too long/ }).click();
    await issues.getByRole('button', { name, exact: true }).click();
    await expect(editor).toBeVisible();
  }
});

/** The page has no files: each of the media library has captions at its address. */
const withCaptions =
  ({ preview }: Client['media']): Client['media']['preview'] =>
  async (...call) => ({ ...(await preview(...call)), url: 'data:text/vtt,WEBVTT' });

test('captions that are typed while earlier ones are put to use stay', async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let isHeld = false;
  const app = await openApp({
    main: ({ media }) => ({
      'media.preview': withCaptions(media),
      'media.add': after(() => {
        if (isHeld) asked.resolve();
        return isHeld ? held.promise : null;
      }, media.add),
    }),
  });
  await editVideo(app);
  await addCaption.click();
  await expect(captions.getByLabel('Text of caption 1')).toBeFocused();
  await captions.getByLabel('Text of caption 1').fill('Red pots');
  isHeld = true;
  await captions.getByRole('button', { name: 'Use captions' }).click();
  await asked.promise;
  await captions.getByLabel('Text of caption 1').fill('Red pots and pans');
  held.resolve();
  await expect(page.getByText('The captions are in use.')).toBeVisible();
  await expect(captions.getByLabel('Text of caption 1')).toHaveValue('Red pots and pans');
  await captions.getByRole('button', { name: 'Discard changes' }).click();
  await expect(captions.getByRole('button', { name: 'Discard changes' })).toBeDisabled();
});

test('a caption is removed after it was worked on, and its times are typed as people write them', async () => {
  const app = await openApp();
  await editVideo(app);
  for (const [n, text] of ['Red pots', 'Blue lids'].entries()) {
    await addCaption.click();
    await captions.getByLabel(`Text of caption ${n + 1}`).fill(text);
  }
  const [end, start] = [captions.getByLabel('End of caption 2'), captions.getByLabel('Start of caption 2')];
  for (const [typed, shown] of [
    ['0:07', '00:07.000'],
    ['5.5', '00:05.500'],
    ['00:06,25', '00:06.250'],
    ['soon', '00:06.250'],
  ] as const) {
    await end.fill(typed);
    await start.focus();
    await expect(end).toHaveValue(shown);
  }
  await captions.getByRole('button', { name: 'Caption 1', exact: true }).click();
  await captions.getByLabel('Text of caption 2').click();
  await captions.getByRole('button', { name: 'Remove caption' }).click();
  await expect(captions.getByLabel('Text of caption 1')).toHaveValue('Red pots');
  await expect(captions.getByLabel('Text of caption 2')).toHaveCount(0);
});

test('captions can be edited only once the captions in use have been read, so that none are lost', async () => {
  const held = Promise.withResolvers<void>();
  const read = new Set<number>();
  let isHeld = false;
  const app = await openApp({
    main: ({ media }) => ({
      'media.preview': after(({ mediaId }) => {
        read.add(mediaId);
        return isHeld && read.size > 1 ? held.promise : null;
      }, withCaptions(media)),
    }),
  });
  await editVideo(app);
  await useCaption();
  read.clear();
  isHeld = true;
  await app.reload();
  await openEditor(app);
  await expect(captions).toBeVisible();
  await expect(addCaption).toHaveCount(0);
  held.resolve();
  await expect(addCaption).toBeVisible();
});

test('captions in use that cannot be loaded are not edited as if there were none', async () => {
  /** Nothing is at the address of a file here. */
  let isGone = false;
  const app = await openApp({
    main: ({ media }) => ({
      'media.preview': (...call) => (isGone ? media.preview : withCaptions(media))(...call),
    }),
  });
  await editVideo(app);
  await useCaption();
  isGone = true;
  await app.reload();
  await openEditor(app);
  await expect(captions).toContainText("Can't load clip.vtt.");
  await expect(captions.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(addCaption).toHaveCount(0);
});

test('captions are shifted by seconds as the language writes them', async () => {
  const app = await openApp();
  const tag = localeTag();
  onTestFinished(() => changeLocale(tag));
  await app.client().app.preferences.set({ locale: 'de-DE' });
  await app.reload();
  await editVideo(app);
  await addCaption.click();
  await expect(captions.getByLabel('Shift by seconds')).toHaveValue('0,5');
  await captions.getByLabel('Shift by seconds').fill('1,5');
  await captions.getByRole('button', { name: 'Shift all' }).click();
  await expect(captions.getByLabel('Start of caption 1')).toHaveValue('00:01.500');
});

test('the editor of a video that cannot be played says so', async () => {
  await editVideo(await openApp());
  await expect(page.getByText('Wait until it is loaded.', { exact: false })).toBeVisible();
  const video = await page.getByRole('main').locator('video').element();
  video.dispatchEvent(new Event('error'));
  await expect(page.getByText(/^This video can't be played here/)).toBeVisible();
  await expect(page.getByText('Wait until it is loaded.', { exact: false })).toHaveCount(0);
});

test('a video whose codec has only sound here says so, keeps its timeline, and has no frame to use', async () => {
  await editVideo(await openApp());
  const main = page.getByRole('main');
  await expect(page.getByText('Wait until it is loaded.', { exact: false })).toBeVisible();
  const video = await main.locator('video').element();
  const load = (videoWidth: number) => {
    Object.defineProperties(video, {
      videoWidth: { value: videoWidth, configurable: true },
      duration: { value: 12, configurable: true },
    });
    video.dispatchEvent(new Event('loadedmetadata'));
  };
  load(1280);
  await expect(main.getByRole('button', { name: 'Use this frame' })).toBeVisible();
  load(0);
  await expect(page.getByText(/^This video can't be played here/)).toBeVisible();
  await expect(main.getByRole('button', { name: 'Use this frame' })).toHaveCount(0);
  await expect(main.getByRole('button', { name: 'Start here' }).first()).toBeVisible();
});

test('the details of a video that cannot be played say so in place of a black player', async () => {
  const app = await openApp();
  await editVideo(app);
  await app.openList('Media');
  await page.getByRole('option').first().click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('button', { name: 'Save frame as image' })).toBeVisible();
  await expect(details.getByText('Drop an SRT or VTT file here')).toBeVisible();
  const video = await details.locator('video').element();
  video.dispatchEvent(new Event('error'));
  await expect(details.getByText(/^This video can't be played here/)).toBeVisible();
  await expect(details.getByRole('button', { name: 'Save frame as image' })).toHaveCount(0);
});

test('checks, pasted tables and pasted IDs say how many of their lines are not shown', async () => {
  const found = Array.from({ length: 25 }, (_, at) => `clip ${at}.mp4: damaged`);
  const checked = { at: 0, checks: [{ check: 'media' as const, ok: false, found, count: 25 }] };
  const app = await openApp({
    main: ({ backups }) => ({
      'backups.safety': async (...call) => ({ ...(await backups.safety(...call)), checked }),
    }),
  });
  const lines = Array.from({ length: 101 }, (_, at) => String(1_000_000 + at));
  await step('files that are damaged', async () => {
    await app.command('Data safety');
    await expect(page.getByText('clip 19.mp4: damaged')).toBeVisible();
    await expect(page.getByText('and 5 more')).toBeVisible();
  });
  await step('IDs', async () => {
    await app.command('Add campaigns by ID');
    await page.getByLabel('Campaign IDs, one per line').fill(lines.join('\n'));
    await expect(page.getByText('and 1 more')).toBeVisible();
    await page.keyboard.press('Escape');
  });
  await step('a table without a header', async () => {
    await app.newManual('Pots');
    await app.openKeywords();
    await app.command('paste a table');
    const dialog = page.getByRole('dialog', { name: 'Paste a table: Keywords' });
    await dialog.getByRole('textbox').paste(lines.map((line) => `pot ${line}\texact\t1.00`).join('\n'));
    await expect(dialog.getByText('101 to add')).toBeVisible();
    await expect(dialog.getByText('Showing 100 of 101 rows')).toBeVisible();
  });
});

test('an empty list of keywords says when the service lists none, and how some come here', async () => {
  const app = await openApp();
  await app.openList('Keywords');
  const main = page.getByRole('main');
  await expect(main).toContainText('No keywords yet');
  await expect(main).not.toContainText('does not list keywords');
  await app.client().accounts.setCapability({ workspaceId: app.workspaceId, name: 'keywordRead', use: false });
  await app.reload();
  await app.openList('Keywords');
  await expect(main).toContainText(
    'The service does not list keywords, so only those that you add or import here are shown.',
  );
  await expect(main.getByRole('button', { name: 'Import…' })).toBeVisible();
});

test('while an account without campaigns is refreshed, nothing says that it has none', async () => {
  const held = Promise.withResolvers<void>();
  let isAway = false;
  const app = await openApp({
    main: ({ sync }) => ({
      'sync.refresh': after(async () => {
        await held.promise;
        if (isAway) throw new ORPCError('UNREACHABLE', { defined: true, data: { detail: 'refused' } });
      }, sync.refresh),
    }),
  });
  await page.keyboard.press('F9');
  await expect(page.locator('div[role="status"][aria-live="polite"]').first()).toHaveText('Refreshing…');
  await expect(page.getByRole('contentinfo')).toContainText('Refreshing…');
  const places = [() => page.keyboard.press('Alt+1'), () => app.openList('Campaigns')];
  for (const open of places) {
    await open();
    await expect(page.getByRole('main')).toContainText('Refreshing…');
    await expect(page.getByRole('main')).not.toContainText('No campaigns yet');
  }
  held.resolve();
  await expect(page.getByText('Refreshed. Your changes are kept.')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('No campaigns yet');

  await step('a refresh that failed is tried again from its message, which is then gone', async () => {
    isAway = true;
    await page.keyboard.press('F9');
    await expect(page.getByText("Can't reach the service.")).toBeVisible();
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText("Can't reach the service.")).toHaveCount(0);
    await expect(page.getByText('Refreshed. Your changes are kept.')).toBeVisible();
  });

  await step('metrics without a campaign are not said to be data', async () => {
    const seen = () => app.client().overview.get({ workspaceId: app.workspaceId, period: 'last-30' });
    await app.client().overview.request({ workspaceId: app.workspaceId, period: 'last-30' });
    await check.poll(async () => (await seen()).through).not.toBeNull();
    await app.reload();
    await page.keyboard.press('Alt+1');
    await expect(page.getByRole('main')).toContainText('No campaigns yet');
    await expect(page.getByRole('main')).not.toContainText('Data through');
  });
});

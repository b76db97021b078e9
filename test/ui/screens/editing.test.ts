import { ORPCError } from '@orpc/client';
import { test } from 'vitest';
import { asRowId } from '../../../shared/model/scalars.ts';
import { after } from '../answering.ts';
import { faults, openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

// --- bulk
/** Adds a second practice account, "Practice 2", and opens the first again. @returns the switcher of accounts */
async function withSecondAccount(app: Awaited<ReturnType<typeof openApp>>) {
  await app.command('new practice account');
  const switcher = page.getByRole('button', { name: 'Switch account' });
  await expect(switcher).toContainText('Practice 2');
  await switcher.click();
  await page.getByRole('menuitem', { name: /^Practice(?! 2)/ }).click();
  await expect(switcher).not.toContainText('Practice 2');
  return switcher;
}

test('many rows are changed after a look at old and new, and undone as one step', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot\nred pan\nblue lid');
  await app.openKeywords();
  await (await app.cell('red pot', 'Bid')).click();

  const pane = app.details;
  const preview = pane.getByRole('region', { name: 'Preview' });
  await step(
    'calculate over the whole view: the grid shows new values, and nothing is written before Apply',
    async () => {
      await page.keyboard.press('Alt+Shift+C');
      await expect(pane.getByLabel('Rows')).toHaveValue('view');
      await pane.getByLabel('Formula').fill('+10%');
      await expect(await app.cell('red pan', 'New bid')).toHaveText('$1.65+0.15');
      await expect(preview).toContainText('Bids that change3');
      await expect(preview).toContainText('Average bid$1.50 → $1.65');
      await expect(preview).toContainText('Sent when the row is created3');
      await expect(page.getByRole('region', { name: 'Totals of all rows' })).toContainText('$1.65');
      expect(await faults('aside')).toEqual([]);
      expect(await app.client().workspace.summary({ workspaceId: app.workspaceId })).toMatchObject({
        undo: 'New campaign Pots',
      });
      await page.keyboard.press('Control+Enter');
      await expect(pane).toBeHidden();
      await expect(await app.cell('blue lid', 'Bid')).toHaveText('$1.65');
      await page.keyboard.press('Control+z');
      await expect(await app.cell('blue lid', 'Bid')).toHaveText('$1.50');
      await expect(app.grid.getByRole('columnheader', { name: 'New bid' })).toHaveCount(0);
    },
  );

  await step('a sum that cannot be read is told beside it', async () => {
    await page.keyboard.press('Alt+Shift+C');
    await pane.getByLabel('Formula').fill('ten');
    await expect(pane.getByRole('alert')).toContainText('Enter a number, or a formula');
    await expect(pane.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(pane).toBeHidden();
  });

  await step('find and replace in the selection only', async () => {
    await (await app.cell('red pot', 'Keyword')).click();
    await (await app.cell('red pan', 'Keyword')).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+h');
    await expect(pane.getByLabel('Rows')).toHaveValue('selection');
    await pane.getByLabel('Find', { exact: true }).fill('red');
    await pane.getByLabel('Replace with').fill('green');
    await expect(await app.cell('red pot', 'New keyword')).toHaveText('green pot');
    await expect(await app.cell('blue lid', 'New keyword')).toHaveText('');
    await pane.getByRole('button', { name: 'Apply to 2 keywords' }).click();
    await expect(pane).toBeHidden();
    await expect(await app.cell('green pot', 'Keyword')).toBeVisible();
  });

  await step('a pattern with a token over the whole account, amounts rounded down', async () => {
    await page.keyboard.press('Control+h');
    await pane.getByLabel('Rows').selectOption('All rows in the account');
    await expect(pane.getByLabel('Rows')).toContainText('All 3 keywords in the account');
    await pane.getByLabel('Regular expression').check();
    await pane.getByLabel('Find', { exact: true }).fill('^(blue) (.+)$');
    await pane.getByLabel('Replace with').fill('$2 [campaign] $1');
    await expect(await app.cell('blue lid', 'New keyword')).toHaveText('lid Pots blue');
    await expect(await app.cell('green pot', 'New keyword')).toHaveText('no change');
    await pane.getByLabel('Find', { exact: true }).fill('(');
    await expect(pane.getByRole('alert')).toContainText('is not valid');
    await pane.getByLabel('Action').selectOption('Adjust amounts');
    await pane.getByLabel('Formula').fill('1.59');
    await pane.getByLabel('Round to').fill('0.10');
    await pane.getByLabel('Rounding').selectOption('Down (truncate)');
    await expect(await app.cell('blue lid', 'New bid')).toHaveText('no change');
    await pane.getByRole('button', { name: 'Cancel' }).click();
  });

  await step('a value that was not entered clears nothing', async () => {
    await page.keyboard.press('Alt+Shift+E');
    await pane.getByLabel('Field').selectOption('Bid');
    await expect(pane.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled();
    await expect(preview).toHaveCount(0);
  });

  await step('set a choice', async () => {
    await page.keyboard.press('Alt+Shift+E');
    await pane.getByLabel('Rows').selectOption('All 3 keywords in this view');
    await pane.getByLabel('Field').selectOption('Match type');
    await pane.getByLabel('New value').selectOption('Exact');
    await pane.getByRole('button', { name: /^Apply to \d match types?$/ }).click();
    await expect(pane).toBeHidden();
    await expect(await app.cell('blue lid', 'Match')).toHaveText('Exact');
  });

  await step(
    'values from a spreadsheet are reckoned with those that are there, after a look at old and new',
    async () => {
      await (await app.cell('green pan', 'Bid')).click();
      await (await app.cell('blue lid', 'Bid')).click({ modifiers: ['Shift'] });
      await page.keyboard.press('Control+Alt+V');
      await pane.getByLabel('Values').fill('10\n20');
      await pane.getByLabel('Operation').selectOption('Add percent');
      await expect(await app.cell('blue lid', 'New bid')).toHaveText('$1.80');
      await pane.getByRole('button', { name: 'Apply to 2 cells' }).click();
      await expect(await app.cell('green pan', 'Bid')).toHaveText('$1.65');
      await page.keyboard.press('Control+z');
      await expect(await app.cell('blue lid', 'Bid')).toHaveText('$1.50');
    },
  );
});

test('rows are duplicated, and copied below another campaign', async () => {
  const app = await openApp();
  await app.newManual('Pots');
  await app.newManual('Pans', 'pan\nwok');
  await app.openKeywords();
  await (await app.cell('pan', 'Keyword')).click();
  await page.keyboard.press('Alt+d');
  await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
  await page.keyboard.press('Control+z');
  await expect(app.grid).toHaveAttribute('aria-rowcount', '3');

  await (await app.cell('pan', 'Keyword')).click();
  await (await app.cell('wok', 'Keyword')).click({ modifiers: ['Shift'] });
  await page.keyboard.press('Alt+Shift+D');
  await app.details.getByLabel('Find campaign').fill('Pots');
  await app.details.getByLabel('Pots').check();
  expect(await faults('aside')).toEqual([]);
  await app.details.getByRole('button', { name: 'Copy 2 rows' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Pots/ })).toBeVisible();
  await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
});

test('a campaign is copied into another account with all that hangs from it', async () => {
  const app = await openApp();
  const switcher = await withSecondAccount(app);
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Pans for all');
  await page.getByLabel('Search items').fill('3952872549 2.40');
  await page.keyboard.press('Enter');
  await page.getByLabel('Keywords, one per line').fill('pan\nwok');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Pans for all/ })).toBeVisible();
  await app.openKeywords();
  await (await app.cell('pan', 'Keyword')).click();
  await page.keyboard.press('Control+x');
  await expect(page.getByText('1 keyword ready to move.')).toBeVisible();
  await app.openList('Campaigns');
  await (await app.cell('Pans for all', 'Campaign')).click();
  await page.keyboard.press('Alt+Shift+D');
  const pane = app.details;
  await expect(pane.getByLabel('Account')).toContainText('Practice 2');
  await pane.getByLabel('Rows').selectOption('1 selected campaign');
  await expect(pane.getByRole('list', { name: 'Will be copied' })).toContainText('2Keywords');
  expect(await faults('aside')).toEqual([]);
  await pane.getByRole('button', { name: 'Copy to Practice 2' }).click();
  await expect(switcher).toContainText('Practice 2');
  await expect(page.getByText('1 keyword ready to move.')).toBeHidden();
  await expect(await app.cell('Pans for all', 'Campaign')).toBeVisible();
  await app.openList('Keywords');
  await expect(app.grid).toHaveAttribute('aria-rowcount', '4');
  await page.keyboard.press('Control+z');
  await expect(page.getByText('No keywords yet')).toBeVisible();
});

test('values pasted on top of others work on what the rows have by then', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot\texact\t1.00');
  await app.openKeywords();
  await (await app.cell('red pot', 'Bid')).click();
  await app.command('paste special');
  await app.details.getByLabel('Values').fill('10');
  await app.details.getByLabel('Operation').selectOption('Add percent');
  const apply = app.details.getByRole('button', { name: 'Apply to 1 cell' });
  await expect(apply).toBeEnabled();
  await app.edit({ kind: 'keyword' }, 'bid', 200);
  await expect(app.grid.getByText('$2.20')).toBeVisible();
  await apply.click();
  await expect(await app.cell('red pot', 'Bid')).toHaveText('$2.20');
});

test('rows that are still read are used in their account alone, also when another is open by then', async () => {
  let held = Promise.withResolvers<void>();
  let asked = Promise.withResolvers<void>();
  const edited = Promise.withResolvers<string>();
  const deleted = Promise.withResolvers<string>();
  const submitted: string[] = [];
  let isHeld = false;
  const app = await openApp({
    main: ({ workspace, bulk, review }) => ({
      'workspace.edit': after(({ changes, workspaceId }) => {
        if (changes.length > 1) edited.resolve(workspaceId);
      }, workspace.edit),
      'workspace.readWindow': async (...call) => {
        const until = isHeld ? held.promise : null;
        const read = await workspace.readWindow(...call);
        if (until !== null) asked.resolve();
        await until;
        return read;
      },
      'bulk.apply': after(({ workspaceId }) => deleted.resolve(workspaceId), bulk.apply),
      'review.submit': after(({ workspaceId }) => submitted.push(workspaceId), review.submit),
    }),
  });
  const switcher = await withSecondAccount(app);
  const opensAnotherMeanwhile = async (work: () => Promise<void>): Promise<void> => {
    [held, asked] = [Promise.withResolvers(), Promise.withResolvers()];
    await page.keyboard.press('Control+a');
    isHeld = true;
    await work();
    await asked.promise;
    await switcher.click();
    await page.getByRole('menuitem', { name: /Practice 2/ }).click();
    await expect(switcher).toContainText('Practice 2');
    isHeld = false;
    held.resolve();
  };
  await app.newManual('Pots', Array.from({ length: 120 }, (_, at) => `pot ${100 + at}\texact\t1.00`).join('\n'));
  await app.openKeywords();
  await (await app.cell('pot 100', 'Bid')).dblclick();
  const editor = page.getByRole('textbox', { name: 'New value for Bid' });
  await editor.fill('2.00');
  await editor.press('Enter');
  await expect(await app.cell('pot 100', 'Bid')).toHaveText('$2.00');
  await opensAnotherMeanwhile(() => page.keyboard.press('Control+d'));
  expect(await edited.promise).toBe(app.workspaceId);
  const openRows = async (): Promise<void> => {
    await switcher.click();
    await page.getByRole('menuitem', { name: /^Practice(?! 2)/ }).click();
    await app.openCampaign('Pots');
    await app.openKeywords();
    await (await app.cell('pot 100', 'Bid')).click();
  };
  await step('no campaign of the other account is submitted for review', async () => {
    await openRows();
    await opensAnotherMeanwhile(() => app.command('submit for review'));
    await page.keyboard.press('Control');
    expect(submitted).toEqual([]);
  });
  await step('rows to delete are deleted in their account', async () => {
    await openRows();
    await opensAnotherMeanwhile(async () => {
      await page.keyboard.press('Control+Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    });
    expect(await deleted.promise).toBe(app.workspaceId);
  });
});

test('the way back in a message is for the account of its change, also when another is open by then', async () => {
  const app = await openApp();
  const switcher = await withSecondAccount(app);
  await app.newManual('Pots');
  await app.openList('Campaigns');
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Undone: New campaign Pots.')).toBeVisible();
  await switcher.click();
  await page.getByRole('menuitem', { name: /Practice 2/ }).click();
  await expect(switcher).toContainText('Practice 2');
  await page.getByRole('alert').getByRole('button', { name: 'Redo' }).click();
  await expect(page.getByText('Redone: New campaign Pots.')).toBeVisible();
  expect(await app.rows({ kind: 'campaign' })).toHaveLength(1);
});

// --- duplicates
test('what is there twice is found, one row is kept and the others are paused or deleted as one step', async () => {
  const app = await openApp();
  for (const [name, keywords] of [
    ['Pots', 'Red-Pot\nred pot\nlid'],
    ['Pans', 'red pot\nwok'],
  ] as const) {
    await app.newManual(name, keywords);
  }
  await page.keyboard.press('Alt+Shift+U');
  const pane = app.details;
  const duplicates = pane.getByRole('list', { name: 'Duplicate rows' });
  await pane.getByText('Keywords', { exact: true }).click();
  await expect(pane.getByText('1 group with 2 rows')).toBeVisible();
  await expect(duplicates).toContainText('3 / 200');
  await pane.getByText('All campaigns').click();
  await expect(pane.getByText('1 group with 3 rows')).toBeVisible();
  await pane.getByLabel('Keep red pot in Pans').check();
  expect(await faults('aside')).toEqual([]);
  await pane.getByRole('button', { name: 'Pause 2 others' }).click();
  await expect(page.getByText('2 duplicates paused.')).toBeVisible();
  await expect(duplicates).toContainText('Paused');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+Shift+U');
  await pane.getByText('Keywords', { exact: true }).click();
  await pane.getByText('All campaigns').click();
  await expect(pane.getByLabel('Keep red pot in Pans'), 'the one that bids, though it is not the oldest').toBeChecked();
  await pane.getByRole('button', { name: 'Delete 2 others' }).click();
  await expect(pane.getByText('No duplicates found.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Alt+Shift+U');
  await pane.getByText('Keywords', { exact: true }).click();
  await pane.getByText('All campaigns').click();
  await pane.getByRole('button', { name: 'Show in grid' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keywords' })).toBeVisible();
  await expect(app.grid).toHaveAttribute('aria-rowcount', '6');
});

test('a keyword that the matrix cannot add stays typed, with the reason', async () => {
  const app = await openApp();
  const values = { name: 'Bare', campaignType: 'sponsoredProducts', targetingType: 'manual' };
  await app.add('Bare', [{ kind: 'campaign', parent: null, values }]);
  await app.openCampaign('Bare');
  await app.openKeywords();
  await page.getByRole('button', { name: 'Matrix' }).click();
  await page.getByLabel('New keyword').fill('green bowl');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This campaign has no ad group. Add one, then add keywords.')).toBeVisible();
  await expect(page.getByLabel('New keyword')).toHaveValue('green bowl');
});

test('rows, comments and campaigns are added once, however often the keys are pressed', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot\texact\t1.00');
  const names = async (kind: 'campaign' | 'keyword') => (await app.rows({ kind })).length;
  await app.openKeywords();
  await app.command('Add rows');
  await page.getByLabel(/^Keywords/).fill('blue lid');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await expect(await app.cell('blue lid', 'Keyword')).toBeVisible();
  expect(await names('keyword')).toBe(2);

  await (await app.cell('blue lid', 'Keyword')).click();
  const comment = app.details.getByLabel('New comment');
  await expect(app.details.getByRole('heading', { name: 'blue lid' })).toBeVisible();
  await comment.fill('Ask Kim');
  await comment.press('Enter');
  await comment.press('Enter');
  await expect(app.details.getByText('Ask Kim')).toBeVisible();
  await expect(comment).toHaveValue('');
  await expect(app.details.getByText('Ask Kim')).toHaveCount(1);

  const before = await names('campaign');
  await app.command('New campaign');
  await page.getByLabel('Campaign name').fill('Pans');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Draft campaign Pans created.')).toBeVisible();
  expect(await names('campaign')).toBe(before + 1);
});

test('a goal that is not saved stays in its form', async () => {
  let isAway = true;
  const app = await openApp({
    main: ({ suggestions }) => ({
      'suggestions.setGoal': (...call) =>
        isAway ? Promise.reject(new ORPCError('CANCELLED')) : suggestions.setGoal(...call),
    }),
  });
  await app.command('Suggestions');
  await page.getByRole('button', { name: /^(Goals|Set a target)$/ }).click();
  const value = page.getByLabel('Sales per dollar of spend');
  await value.fill('4.20');
  await page.getByRole('button', { name: 'Save goal' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Canceled. Nothing was changed.' })).toBeVisible();
  await expect(value).toHaveValue('4.20');
  isAway = false;
  await page.getByRole('button', { name: 'Save goal' }).click();
  await expect(value).toHaveCount(0);
});

test('after the last suggestion of a kind, a second Enter accepts none of another kind', async () => {
  const accepted: string[] = [];
  const app = await openApp({
    main: () => ({
      'suggestions.list': async ({ kinds }) => {
        const left = (['bid', 'paused-spend'] as const).filter((kind) => !accepted.includes(`${kind} 1`));
        return {
          ...{ version: '1', total: left.length, kinds: left.map((kind) => ({ kind, count: 1 })) },
          suggestions: left
            .filter((kind) => kinds?.includes(kind))
            .map((kind) => ({
              ...({ key: `${kind} 1`, kind, type: 'keyword', id: asRowId(1), campaignId: asRowId(1) } as const),
              ...({ campaign: 'Pots', label: 'red pot', field: 'bid', current: 100, suggested: 120 } as const),
              ...({
                low: null,
                high: null,
                evidence: 'fair',
                effect: 'immediate',
                reason: 'Sales',
                numbers: {},
              } as const),
            })),
          ...{ dropped: [], whatIf: null, hasGoal: true, reducedTo: null },
        };
      },
      'suggestions.accept': async ({ keys }) => {
        accepted.push(...keys);
        return { revision: 0, rows: [], reread: [], touched: [], accepted: 1, dropped: [] } as never;
      },
    }),
  });
  await app.command('Suggestions');
  await page.getByRole('button', { name: 'Accept 1 suggestion' }).click();
  // Suggestions are read again after an edit.
  const rows = [{ kind: 'campaign' as const, parent: null, values: { name: 'Pots' } }];
  await app.client().workspace.create({ workspaceId: app.workspaceId, label: 'Add', rows });
  await expect(page.getByText('None of this kind is left. Select another kind above.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
  await page.getByRole('tablist', { name: 'Kinds of suggestions' }).getByRole('tab').click();
  await expect(page.getByRole('button', { name: 'Accept 1 suggestion' })).toBeVisible();
});

test('suggestions that were not accepted stay selected', async () => {
  let isAway = false;
  const suggestion = (id: number, label: string) => ({
    ...({ key: `bid ${id}`, kind: 'bid', type: 'keyword', id: asRowId(id), campaignId: asRowId(1) } as const),
    ...({ campaign: 'Pots', label, field: 'bid', current: 100, suggested: 120, evidence: 'fair' } as const),
    ...({ low: null, high: null, effect: 'immediate', reason: 'Sales', numbers: {} } as const),
  });
  const app = await openApp({
    main: () => ({
      'suggestions.accept': async () => {
        if (isAway) throw new ORPCError('CANCELLED');
        return { revision: 0, rows: [], reread: [], touched: [], accepted: 1, dropped: [] } as never;
      },
      'suggestions.list': async () => ({
        ...{ version: '1', total: 2, kinds: [{ kind: 'bid', count: 2 }], dropped: [] },
        ...{ suggestions: [suggestion(1, 'red pot'), suggestion(2, 'blue lid')] },
        ...{ whatIf: null, hasGoal: true, reducedTo: null },
      }),
    }),
  });
  await app.command('Suggestions');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await list.focus();
  await page.keyboard.press(' ');
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(page.getByText('1 suggestion accepted. Press Ctrl+Z to undo.')).toBeVisible();
  await expect(page.getByText('1 selected')).toBeVisible();
  isAway = true;
  await page.getByRole('button', { name: 'Accept 1 suggestion' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Canceled. Nothing was changed.' })).toBeVisible();
  await expect(page.getByText('1 selected')).toBeVisible();
});

test('a new keyword is suggested as new, and information has no check box', async () => {
  const head = { type: 'keyword', campaignId: asRowId(1), campaign: 'Pots', field: null, current: null } as const;
  const rest = {
    evidence: 'firm',
    low: null,
    high: null,
    reason: 'Add this text as exact match.',
    numbers: {},
  } as const;
  const all = [
    {
      key: 'h',
      kind: 'harvest',
      id: asRowId(1),
      label: 'red pot',
      suggested: 50,
      effect: 'needs-review',
      ...head,
      ...rest,
    },
    {
      key: 'd',
      kind: 'harvest',
      id: asRowId(2),
      label: 'blue lid',
      suggested: null,
      effect: 'advice',
      ...head,
      ...rest,
    },
  ] as const;
  const app = await openApp({
    main: () => ({
      'suggestions.list': async () => ({
        ...{ version: '1', total: 2, kinds: [{ kind: 'harvest', count: 2 }], suggestions: [...all], dropped: [] },
        ...{ whatIf: null, hasGoal: true, reducedTo: null },
      }),
    }),
  });
  await app.command('Suggestions');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await expect(list.getByRole('option', { name: /red pot.*New → \$0\.50/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show row' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Adjust' })).toHaveCount(0);
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press(' ');
  await expect(list.getByRole('option', { selected: true })).toHaveCount(1);
});

test('a goal is set for a campaign beyond the first 500, which is found by its name', async () => {
  const app = await openApp();
  await app.add(
    'Add',
    Array.from({ length: 520 }, (_, at) => ({
      kind: 'campaign',
      parent: null,
      values: { name: `Pots ${at}`, campaignType: 'sponsoredProducts' },
    })),
  );
  await app.command('Suggestions');
  await page.getByRole('button', { name: /^(Goals|Set a target)$/ }).click();
  await page.getByLabel('Applies to').selectOption('A campaign…');
  await expect(page.getByText(/^60 of 52\d campaigns shown\./)).toBeVisible();
  await page.getByRole('textbox', { name: 'Find campaign' }).fill('pots 519');
  await page.getByRole('radio', { name: 'Pots 519' }).click();
  await page.getByRole('textbox', { name: 'Find campaign' }).fill('no such name');
  await expect(page.getByText('No matching campaigns.')).toBeVisible();
  await expect(page.getByRole('radio'), 'the one that is chosen stays in sight').toHaveCount(1);
  await expect(page.getByRole('radio', { name: 'Pots 519' })).toBeChecked();
  await page.getByRole('button', { name: 'Choose campaign' }).click();
  await page.getByLabel('Sales per dollar of spend').fill('4.20');
  await page.getByRole('button', { name: 'Save goal' }).click();
  await page.getByRole('button', { name: 'Goals', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Campaign: Pots 519', exact: true })).toBeVisible();
});

test('the launch calendar and a step for every campaign have more than the first 1,000', async () => {
  const app = await openApp();
  const rows = Array.from({ length: 1050 }, (_, at) => ({
    kind: 'campaign' as const,
    parent: null,
    values: { name: `Pots ${at}`, campaignType: 'sponsoredProducts', startDate: '2099-05-04' },
  }));
  await app.add('Add', rows);
  await page.keyboard.press('Alt+8');
  await page.getByRole('button', { name: 'Export calendar (.ics)' }).click();
  const calendar = await (await app.saved()).text();
  expect(calendar.match(/SUMMARY:Pots \d+ goes live/g)).toHaveLength(1050);
  await page
    .getByRole('button', { name: /missing steps? of Pots/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Add an ad group to every campaign without one' }).click();
  await expect(page.getByText(/^1,05\d ad groups added\./)).toBeVisible();
});

// --- matrix
test('keywords are edited by text and match type, and multipliers with the bids they make', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'red pot\texact\t1.00\nred pot\tbroad\t0.80\nblue lid\tphrase\t2.00');
  const parts = (name: RegExp) => page.getByRole('tab', { name });

  await step('keywords: a sum in a cell, a bid in an empty cell, the meter', async () => {
    await parts(/^Keywords/).click();
    await page.getByRole('button', { name: 'Matrix' }).click();
    await expect(page.getByText('2 of 200 distinct keywords').first()).toBeVisible();
    const exact = page.getByLabel('Bid of "red pot", Exact');
    await expect(exact).toHaveValue('1.00');
    await exact.fill('+10%');
    await exact.press('Enter');
    await expect(exact).toHaveValue('1.10');
    await page.getByLabel('Bid of "blue lid", Exact').fill('2.20');
    await page.getByLabel('Bid of "blue lid", Exact').press('Tab');
    await expect(parts(/^Keywords/)).toContainText('4');
    await page.getByLabel('Bid of "blue lid", Broad').fill('2.40');
    await page.getByLabel('Bid of "blue lid", Broad').press('Enter');
    await expect(page.getByLabel('Bid of "red pot", Broad')).toBeFocused();
    await expect(parts(/^Keywords/)).toContainText('5');
    const { entries } = await app.client().history.log({ workspaceId: app.workspaceId, from: 0, count: 100 });
    const steps = entries.filter(({ step }) => step === 'Add keyword blue lid').map(({ stepId }) => stepId);
    expect(new Set(steps).size, 'Enter leaves the cell, and the keyword is added once for each match type').toBe(2);
    await page.getByLabel('New keyword').fill('green bowl');
    await page.keyboard.press('Enter');
    await expect(page.getByText('3 of 200 distinct keywords').first()).toBeVisible();
    await app.edit({ kind: 'keyword', filter: 'lid' }, 'state', 'paused');
    await expect(page.getByText('2 of 200 distinct keywords').first(), 'paused ones do not count').toBeVisible();
    await app.client().workspace.undo({ workspaceId: app.workspaceId });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.getByRole('combobox').fill('Delete rows');
    await expect(palette.getByRole('option').first()).toContainText('Open a list with rows first');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+c');
    await expect(await app.cell('blue lid', 'Keyword')).toBeVisible();
  });

  await step('multipliers: money where placement and platform meet', async () => {
    await parts(/^Placement/).click();
    await app.command('Switch between table and matrix');
    const search = page.getByLabel('Multiplier for Search Ingrid (%)');
    await search.fill('50');
    await search.press('Tab');
    await page.getByLabel('Multiplier for Mobile (%)').fill('10');
    await page.getByLabel('Multiplier for Mobile (%)').press('Tab');
    await page.getByLabel('Example bid').fill('2.00');
    const row = page.getByRole('row', { name: /Search Ingrid/ });
    await expect(row).toContainText('$3.00');
    await expect(row).toContainText('$3.30');
    await page.getByRole('button', { name: 'Table' }).click();
    await expect(await app.cell('Search Ingrid', 'Multiplier (%)')).toHaveText('50.00');
  });
});

test('the multipliers of a campaign without bids show no amounts until an example bid is entered', async () => {
  const app = await openApp();
  await app.newManual('Pots', '');
  await page.getByRole('tab', { name: /^Placement/ }).click();
  await app.command('Switch between table and matrix');
  const row = page.getByRole('row', { name: /Search Ingrid/ });
  await expect(page.getByText('No bids in this campaign yet.')).toBeVisible();
  await expect(page.getByLabel('Example bid')).toHaveValue('');
  await expect(row).not.toContainText('$');
  await page.getByLabel('Example bid').fill('2.00');
  await expect(row).toContainText('$2.00');
});

// --- items
test('new items are looked up by a command, and what the service says of them is told', async () => {
  const app = await openApp();
  await app.command('check new items');
  await expect(page.getByText('All items have been checked.')).toBeVisible();
  await page.keyboard.press('Alt+Shift+A');
  await page.getByLabel('Campaign name').fill('Towels');
  await page.getByLabel('Search items').fill('5012345678');
  await page.keyboard.press('Enter');
  await page.getByLabel('Search items').fill('4999999999');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Towels/ })).toBeVisible();
  await app.command('check new items');
  await expect(page.getByText(/^2 items can't be added: .* See the reasons in Issues\.$/)).toBeVisible();
  const issues = app.drawer.getByRole('list', { name: 'Issues' });
  const unknown = issues.getByRole('listitem').filter({ hasText: 'Item not in the catalog' }).first();
  await unknown.getByRole('button', { expanded: false }).first().click();
  await expect(issues).toContainText('4999999999');

  // From the list of all items, rows go to the campaign that is chosen for them.
  await app.openList('Ad items');
  await page.keyboard.press('Alt+n');
  const add = page.getByRole('main', { name: 'Add rows' });
  await expect(add.getByLabel('Find campaign')).toBeFocused();
  await add.getByRole('radio', { name: 'Towels' }).check();
  await add.getByLabel('Search items').fill('5012345679');
  await page.keyboard.press('Enter');
  const inTabOrder = document.querySelectorAll('main form :is(input, select, textarea, button)');
  expect([...inTabOrder].at(-1)?.textContent, 'the last stop is what ends the form').toBe('AddCtrl+Enter');
  await add.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(await app.cell('5012345679', 'Campaign')).toHaveText('Towels');

  await app.openCampaign('Towels');
  await page.keyboard.press('Alt+n');
  await expect(add.getByLabel('Search items')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(add).toBeHidden();
});

// --- refused
test('an edit that main refuses says why, and a change that is stopped is no failure; cell and form are as before', async () => {
  let isGone = false;
  const app = await openApp({
    main: ({ workspace }) => ({
      'bulk.apply': () => Promise.reject(new ORPCError('CANCELLED')),
      // As when the row was deleted a moment ago elsewhere, of which the news has not come yet.
      'workspace.edit': (input, options) => {
        const changes = input.changes.map((change) => ({ ...change, id: asRowId(2_000_000) }));
        return workspace.edit(isGone ? { ...input, changes } : input, options);
      },
    }),
  });
  await app.newManual('Pots', 'red pot\nred pan');
  await app.openKeywords();

  await step('an edit that is refused', async () => {
    isGone = true;
    await (await app.cell('red pot', 'Bid')).dblclick();
    const editor = page.getByRole('textbox', { name: 'New value for Bid' });
    await editor.fill('9.99');
    await editor.press('Enter');
    await expect(page.getByText('This keyword no longer exists.')).toBeVisible();
    await expect(await app.cell('red pot', 'Bid')).toHaveText('$1.50');
    isGone = false;
  });

  await step('a bid of the matrix that is refused', async () => {
    await page.getByRole('button', { name: 'Matrix' }).click();
    const bid = page.getByLabel('Bid of "red pot", Broad');
    isGone = true;
    await bid.fill('9.99');
    await bid.press('Tab');
    await expect(bid).toHaveValue('1.50');
    isGone = false;
    await page.getByRole('button', { name: 'Table' }).click();
  });

  await step('a change of many rows that is stopped', async () => {
    await (await app.cell('red pot', 'Bid')).click();
    await page.keyboard.press('Alt+Shift+C');
    await app.details.getByLabel('Formula').fill('+10%');
    await app.details.getByRole('button', { name: 'Apply to 2 bids' }).click();
    const note = page.getByRole('alert').filter({ hasText: 'Canceled. Nothing was changed.' });
    await expect(note).toHaveAttribute('style', /blue/);
    await expect(app.details.getByRole('button', { name: 'Apply to 2 bids' })).toBeEnabled();
  });
});

import { deskPage, sendButton, syncPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';
import { listenTo } from './spoken.ts';

test('by ear and with the keyboard alone: a campaign is drafted, mended, sent and heard to be live', {
  tag: ['@everyone', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  const hands = handsOn(page);
  const { keyboard } = page;
  await desk.ready();
  const spoken = await listenTo(page);

  await test.step('the places of the window have names', async () => {
    for (const [role, name] of [
      ['region', 'Main toolbar'],
      ['navigation', 'Campaign list'],
      ['main', 'Rows'],
      ['region', 'Issues, changes, sync and history'],
      ['complementary', 'Details'],
    ] as const) {
      await expect(page.getByRole(role, { name }), name).toBeVisible();
    }
  });

  await test.step('the palette says what it is, and what is chosen in it', async () => {
    await keyboard.press('Control+k');
    await expect.poll(spoken.focus).toMatch(/^combobox "/);
    await keyboard.type('new manual');
    const chosen = page.getByRole('dialog', { name: 'Commands' }).getByRole('option', { selected: true });
    await expect(chosen).toHaveText(/^New manual campaign/);
    await keyboard.press('Enter');
  });

  await test.step('every stop of the form has a name', async () => {
    await expect.poll(spoken.focus).toMatch(/^textbox "Campaign name/);
    await keyboard.type('Kettles by ear');
    for (const name of [/^textbox "Total budget \(USD\)"/, /^textbox "Daily budget \(USD\)"/]) {
      await keyboard.press('Tab');
      await expect.poll(spoken.focus).toMatch(name);
      await keyboard.type('1500');
    }
    await hands.reach(page.getByLabel('Start date', { exact: true }));
    await keyboard.type('2030-03-04');
    await hands.reach(page.getByLabel('Search items'));
    await keyboard.type('3952872549 2.40');
    await keyboard.press('Enter');
    await hands.reach(page.getByLabel('Keywords, one per line'));
    await keyboard.type('kettle\nwhite kettle');
    await hands.push(page.getByRole('button', { name: 'Create draft' }));
    await spoken.hear(/Draft campaign Kettles by ear created/);
  });

  await test.step('a cell says its value, its editor says what it is for, and a wrong value says why', async () => {
    await desk.openKeywords();
    await expect(desk.grid).toHaveAttribute('aria-rowcount', '3');
    await hands.reach(desk.grid);
    await keyboard.press('Control+Home');
    await keyboard.press('ArrowRight');
    await expect.poll(spoken.focus).toMatch(/^gridcell "(Exact|Phrase|Broad)"/);
    await keyboard.press('ArrowRight');
    await expect.poll(spoken.focus).toMatch(/^gridcell "\$1\.50"/);
    await keyboard.press('F2');
    await expect.poll(spoken.focus).toMatch(/^textbox "New value for Bid"/);
    await keyboard.type('much');
    await spoken.hear(/is not a number/);
    await keyboard.press('Control+a');
    await keyboard.type('2.75');
    await keyboard.press('Enter');
    await keyboard.press('ArrowUp');
    await expect.poll(spoken.focus).toMatch(/^gridcell "\$2\.75"/);
  });

  await test.step('the plan is a page with its number, and what came of it is said', async () => {
    await keyboard.press('Control+Enter');
    await expect(syncPage(page).getByRole('heading', { level: 1, name: 'Sync plan: 5 changes' })).toBeVisible();
    await expect.poll(spoken.focus).toMatch(/^button "Send 5 changes to Practice"/);
    await hands.push(sendButton(page));
    await spoken.hear(/^All 5 changes are on the service$/, 60_000);
    await keyboard.press('Escape');
    await expect(syncPage(page)).toBeHidden();
  });

  await test.step('the clock says where it stands after it was moved', async () => {
    await hands.command('practice clock');
    const clock = page.getByRole('region', { name: 'Practice clock' });
    await expect.poll(spoken.focus).toMatch(/^heading "Practice clock"/);
    await hands.reach(clock.getByLabel('Date'));
    await keyboard.type('2030-03-06');
    await hands.push(clock.getByRole('button', { name: 'Move to this date' }));
    await spoken.hear(/^Practice time is now .*\b6 March 2030/, 60_000);
    await keyboard.press('Escape');
    await expect(clock).toBeHidden();
    await expect(desk.navigation.getByRole('button', { name: /Kettles by ear.*Live/ })).toBeVisible();
  });

  await test.step('nothing else was said in between', async () => {
    const said = await spoken.all();
    test.info().annotations.push({ type: 'said', description: `${said.length} messages: ${said.join(' | ')}` });
    const heard = [
      /^Draft campaign .* created/,
      /is not a number/,
      /^5 of 5 selected$/,
      /^Sending 5 changes/,
      /^All 5 changes/,
      /^Practice time is now/,
    ];
    expect(said.filter((line) => !heard.some((text) => text.test(line)))).toEqual([]);
    for (const text of heard) expect(said.filter((line) => text.test(line)).length, String(text)).toBeGreaterThan(0);
  });
});

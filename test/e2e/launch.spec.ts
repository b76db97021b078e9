import { readFileSync } from 'node:fs';
import { faults } from './axe.ts';
import { deskPage, openSyncPlan, send, syncPage } from './desk-page.ts';
import { EVERYTHING } from './examples.ts';
import { expect, test } from './fixture.ts';

test('the way to being live: next steps, a calendar file, a rejection with its reason, and submitting again', {
  tag: ['@launch', '@long'],
}, async ({ page }) => {
  const desk = deskPage(page);
  let rejected = '';
  await desk.ready();
  await desk.drop(EVERYTHING);
  await desk.applySheet();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '7');

  await test.step('one campaign alone is planned, with what it needs, and the plan is saved for somebody to look over', async () => {
    await (await desk.cell('Kitchen roll video', 'Campaign')).click();
    await page.keyboard.press('Control+Shift+Enter');
    const dialog = syncPage(page);
    await expect(dialog.getByText('Only 1 campaign, with everything in it.')).toBeVisible();
    const planned = dialog.getByRole('list', { name: 'Changes by campaign' });
    await expect(planned).toContainText('Kitchen roll video');
    await expect(planned).not.toContainText('Garden hose');
    await dialog.getByRole('tab', { name: 'Technical' }).click();
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save plan' }).click();
    const [head, , first, campaign] = readFileSync(await (await saved).path(), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('upload '));
    expect(head).toMatch(/^adslate-plan 1 .*"chosen":\{"rows":\[\{"kind":"campaign"/);
    expect(first).toMatch(/^0 POST .* campaign create/);
    expect(campaign).toContain('"name":"Kitchen roll video"');
    expect(await faults(page, 'main')).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('the timeline names the cheapest missing step of every campaign', async () => {
    await page.keyboard.press('Alt+8');
    const list = page.getByRole('list', { name: 'Upcoming and live campaigns' });
    await expect(list.getByRole('listitem')).toHaveCount(6);
    await expect(list.getByRole('listitem').filter({ hasText: 'Kitchen roll video' })).toContainText('Sync changes');
    expect(await faults(page, 'main')).toEqual([]);
    const line = list.getByRole('listitem').filter({ hasText: 'Kitchen roll video' });
    await line.getByRole('button', { name: 'Sync', exact: true }).click();
    const sync = syncPage(page);
    await expect(sync.getByText('Only 1 campaign, with everything in it.')).toBeVisible();
    await sync.getByRole('button', { name: 'Close' }).click();
    await line.getByRole('button', { name: '+2: all missing steps of Kitchen roll video' }).click();
    const steps = page.getByRole('menu');
    await expect(steps.getByRole('menuitem')).toHaveCount(4);
    expect(await faults(page, '[role="menu"]')).toEqual([]);
    await steps.getByRole('menuitem', { name: /^Sync every campaign/ }).click();
    await expect(sync.getByText('Only 6 campaigns, with everything in them.')).toBeVisible();
    await sync.getByRole('button', { name: 'Close' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export calendar (.ics)' }).click();
    const file = readFileSync(await (await saved).path(), 'utf8');
    expect(file).toContain('SUMMARY:Submit Kitchen roll video for review');
    expect(file).toContain('DTSTART;VALUE=DATE:20300304');
  });

  await test.step('send, wait for the videos, and reject a review', async () => {
    for (const minutes of [30, 0]) {
      await openSyncPlan(page);
      await send(page);
      if (minutes === 0) continue;
      await page.keyboard.press('Alt+p');
      const clock = page.getByRole('region', { name: 'Practice clock' });
      await clock.getByRole('button', { name: '+30 min' }).click();
      await expect(clock.getByRole('button', { name: '+30 min' })).toBeEnabled();
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Alt+p');
    const clock = page.getByRole('region', { name: 'Practice clock' });
    await expect(clock.getByRole('button', { name: 'Reject' })).toHaveCount(4);
    await clock.getByRole('button', { name: 'Reject' }).first().click();
    await expect(clock.getByRole('button', { name: 'Reject' })).toHaveCount(3);
    await page.keyboard.press('Escape');
  });

  await test.step('the inbox shows the rejection with its reason, and asks again once it is fixed', async () => {
    await page.keyboard.press('Alt+2');
    const entry = page.getByRole('group', { name: 'Reviews' }).getByRole('option', { name: / rejected/ });
    await entry.first().click();
    await expect(page.getByText('The reviewer wrote')).toBeVisible();
    const submit = page.getByRole('button', { name: 'Save and submit for review' });
    await expect(submit).toBeDisabled();
    expect(await faults(page, 'main')).toEqual([]);
    const headline = page.getByLabel(/^Headline/);
    rejected = await headline.inputValue();
    await headline.fill('A calmer headline');
    await submit.click();
    await expect(entry).toHaveCount(0);
  });

  await test.step('the rejection is kept with what was seen, and a draft with the same words is warned about', async () => {
    await page.getByRole('button', { name: 'Done', exact: true }).first().click();
    const kept = page.getByRole('region', { name: 'Rejection history' });
    await expect(kept.getByText(/Rejected on /)).toBeVisible();
    await kept.getByRole('button').first().click();
    // The way to the row ends with the focus on the rows, which would close an editor.
    await expect(desk.grid).toBeFocused();
    await desk.edit('A calmer headline', 'Headline', rejected);
    await expect(desk.inspector.getByText(/^A review rejected exactly this creative on /)).toBeVisible();
  });

  await test.step('a swap of two banners says which step is due, and is still under way after a restart of the window', async () => {
    const spare = async () => {
      await desk.openList('SBA profiles');
      await (await desk.cell('Made for long summers', 'Headline')).click();
    };
    await spare();
    await desk.inspector.getByRole('button', { name: 'Swap banner without pausing…' }).click();
    const swap = page.getByRole('region', { name: 'Swap banner without pausing' });
    await swap.getByRole('button', { name: 'Start swap' }).click();
    await expect(swap.getByRole('listitem')).toHaveCount(5);
    await expect(swap.locator('[aria-current="step"]')).toContainText('Change the disabled profile');
    expect(await faults(page, 'aside')).toEqual([]);
    await page.reload();
    await desk.ready();
    await spare();
    await desk.inspector.getByRole('button', { name: 'Swap in progress: Change the disabled profile' }).click();
    await swap.getByRole('button', { name: 'Cancel swap' }).click();
    await expect(desk.inspector.getByRole('button', { name: 'Swap banner without pausing…' })).toBeVisible();
    await desk.inspector.getByRole('button', { name: 'Banner log' }).click();
    const log = page.getByRole('region', { name: 'Banner log' });
    await expect(log.getByRole('listitem').first()).toContainText('now');
    await expect(log.getByRole('listitem').first()).toContainText('MetricsNone');
    const tooWide = (box: HTMLElement) =>
      [box, ...box.querySelectorAll('*')].some(
        ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
      );
    expect(await log.evaluate(tooWide)).toBe(false);
    expect(await faults(page, 'aside')).toEqual([]);
  });
});

import { ORPCError } from '@orpc/client';
import { expect as check, test } from 'vitest';
import { openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

// --- report-jobs
test('a report that takes long goes on while the window is closed, and is news when it is ready', async () => {
  const app = await openApp();
  const jobs = page.getByRole('list', { name: 'Reports in progress' });
  const inbox = page.getByRole('main', { name: 'Inbox' });
  const ask = async (): Promise<void> => {
    await app.command('reports');
    await page.getByLabel('Format of the report').selectOption('zip');
    await page.getByLabel('Attribution window of the report').selectOption('days14');
    await page.getByRole('button', { name: 'Get report' }).click();
  };
  const later = async (): Promise<void> => {
    await app.command('practice clock');
    const clock = page.getByRole('region', { name: 'Practice clock' });
    await clock.getByRole('button', { name: '+30 min' }).click();
    await expect(clock.getByRole('button', { name: '+30 min' })).toBeEnabled();
    await page.keyboard.press('Escape');
  };

  await step('the desk says that it goes on, and asking again joins it', async () => {
    await ask();
    await expect(page.getByText('It continues in the background', { exact: false })).toBeVisible();
    await expect(jobs.getByRole('listitem')).toHaveCount(1);
    await expect(jobs).toContainText('In progress');
    await expect(jobs).toContainText('service status: processing');
    await page.getByRole('button', { name: 'Get report' }).click();
    await expect(page.getByRole('button', { name: 'Get report' })).toBeEnabled();
    await expect(jobs.getByRole('listitem')).toHaveCount(1);
  });

  await step('after a restart it is picked up, comes ready by itself, and is news that leads to it', async () => {
    await app.restart();
    await app.command('reports');
    await expect(jobs).toContainText('In progress');
    await later();
    await expect(jobs).toContainText('Ready');
    await app.navigation.getByRole('button', { name: /^Inbox/ }).click();
    const news = inbox.getByRole('option').filter({ hasText: /The report "campaign", .* is ready/ });
    await expect(news).toHaveCount(1);
    await news.click();
    await inbox.getByRole('button', { name: /^Show/ }).click();
    await jobs.getByRole('button', { name: /^Show report: By campaign/ }).click();
    await expect(page.getByLabel('Saved reports')).toContainText('14-day window');
  });

  await step('its answer is saved to the byte', async () => {
    await page.getByRole('button', { name: 'Save as received' }).click();
    const file = await app.saved();
    expect(file.name).toMatch(/^campaign-.*\.zip$/);
    expect((await file.text()).slice(0, 2)).toBe('PK');
  });

  await step('one that is ready leaves the list, and one under way is given up', async () => {
    await jobs.getByRole('button', { name: /^Remove from list/ }).click();
    await expect(jobs).toHaveCount(0);
    await page.getByLabel('Report', { exact: true }).selectOption('keyword');
    await page.getByLabel('Format of the report').selectOption('gzip');
    await page.getByRole('button', { name: 'Get report' }).click();
    await jobs.getByRole('button', { name: /^Check now/ }).click();
    await expect(page.getByText('The service is still preparing this report.')).toBeVisible();
    await jobs.getByRole('button', { name: /^Stop waiting/ }).click();
    await expect(jobs).toHaveCount(0);
  });

  await step(
    'a type that the service does not know is refused in its words, and a word that is none is not sent',
    async () => {
      await page.getByLabel('Report', { exact: true }).selectOption('Other type…');
      await expect(page.getByRole('button', { name: 'Get report' })).toBeDisabled();
      await page.getByLabel('Name of the report type').fill('horoscope');
      await page.getByRole('button', { name: 'Get report' }).click();
      await expect(page.getByText(/The service did not accept the report request/)).toBeVisible();
    },
  );
});

test('rows of a report that can not be sorted now keep their heading, and are asked for again on request', async () => {
  let isBroken = true;
  const app = await openApp({
    main: ({ reports }) => ({
      'reports.view': async (input, ...more) => {
        if (!isBroken || input.look.sortBy !== 'clicks') return reports.view(input, ...more);
        throw new ORPCError('REPORT_UNREADABLE', { defined: true, data: { id: input.id, detail: 'EIO' } });
      },
    }),
  });
  await app.command('open a sample account');
  await expect(page.getByRole('button', { name: 'Switch account' })).toContainText('Sample');
  await app.command('reports');
  await page.getByRole('button', { name: 'Get report' }).click();
  const heading = (name: string) => page.getByRole('button', { name: `Sort by ${name}`, exact: true });
  const sorted = (name: string) => heading(name).locator('..').getAttribute('aria-sort');
  await heading('Clicks').click();
  await expect(page.getByRole('alert')).toContainText('This saved report is damaged');
  check([await sorted('Spend'), await sorted('Clicks')]).toEqual(['descending', 'none']);
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  check([await sorted('Spend'), await sorted('Clicks')]).toEqual(['none', 'descending']);
});

// --- metrics-up-to-date
test('metrics are kept up to date as long as the user wants it, and no report of that is in the way', async () => {
  const app = await openApp();
  await app.command('reports');
  const choice = page.getByLabel('Keep metrics up to date');
  await expect(choice).not.toBeChecked();
  await choice.check();
  await expect(choice).toBeChecked();
  await app.restart();
  await app.command('reports');
  await expect(choice).toBeChecked();
  await expect(page.getByRole('list', { name: 'Reports in progress' })).toHaveCount(0);
  await choice.uncheck();
  await expect(choice).not.toBeChecked();
});

test('the overview of an account without metrics says so once', async () => {
  const app = await openApp();
  await app.newManual('Lamps');
  await page.keyboard.press('Alt+1');
  const overview = page.getByRole('main', { name: 'Overview' });
  await expect(overview).toContainText('Sales and spend of each day are shown here.');
  await expect(overview.getByText('No metrics yet')).toHaveCount(1);
  // No budget is known to run, so none is named.
  await expect(overview).not.toContainText('$0.00');
});

import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(
      'items are found with pictures and variants, and a variant is added with its name',
      { tag: ['@media', '@long'] },
      async ({ page }, info) => {
        const outside: string[] = [];
        page.on('request', (request) => {
          if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== new URL(page.url()).origin)
            outside.push(request.url());
        });
        const desk = deskPage(page);
        await desk.ready();
        await desk.newManual('Lamps', 'desk lamp');
        await desk.openList('Ad items');
        await page.keyboard.press('Alt+n');
        const add = page.getByRole('dialog', { name: 'Add ad items' });
        await add.getByRole('radio', { name: 'Lamps' }).check();
        await add.getByLabel('Search your items').fill('lamp');
        await page.keyboard.press('Enter');
        const found = add
          .getByRole('listitem')
          .filter({ hasText: /variant/ })
          .first();
        await expect(found).toBeVisible({ timeout: 40_000 });
        await found.getByText(/variant/).click();
        const pictures = found.locator('img');
        const width = (picture: HTMLImageElement): number => picture.naturalWidth;
        await expect.poll(() => pictures.count(), 'the item and its variants have pictures').toBeGreaterThan(1);
        for (const picture of await pictures.all()) await expect.poll(() => picture.evaluate(width)).toBe(200);
        await expect(found.getByRole('link', { name: /^Item page of/ })).toHaveAttribute('href', /^https:/);
        await page.screenshot({ path: info.outputPath(`search-${colorScheme}.png`) });

        const variant = found.getByRole('listitem').first();
        const name = (await variant.getByRole('button').getAttribute('aria-label')) ?? '';
        await variant.getByRole('button').click();
        await add.getByRole('button', { name: 'Add', exact: true }).last().click();
        await expect(add).toBeHidden();
        await expect(desk.inspector.getByRole('img')).toBeVisible();
        await expect.poll(() => desk.inspector.getByRole('img').evaluate(width)).toBe(200);
        await expect(desk.inspector.getByRole('link', { name: /^Item page of/ })).toBeVisible();
        expect(name).not.toBe('');
        await page.screenshot({ path: info.outputPath(`details-${colorScheme}.png`) });
        expect(outside, 'the window never loads an address of the service').toEqual([]);
      },
    );
  });
}

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
        const add = page.getByRole('main', { name: 'Add rows' });
        await add.getByRole('radio', { name: 'Lamps' }).check();
        await add.getByLabel('Search items').fill('lamp');
        const found = add.getByRole('listbox', { name: 'Items found' });
        await expect(found.getByText(/variant/).first()).toBeVisible();
        await found
          .getByText(/variant/)
          .first()
          .click();
        const pictures = found.locator('img');
        const width = (picture: HTMLImageElement): number => picture.naturalWidth;
        await expect.poll(() => pictures.count(), 'the item and its variants have pictures').toBeGreaterThan(1);
        for (const picture of await pictures.all()) await expect.poll(() => picture.evaluate(width)).toBe(200);
        await page.screenshot({ path: info.outputPath(`search-${colorScheme}.png`) });

        const whole = await found
          .getByRole('option')
          .filter({ hasText: /variant/ })
          .first()
          .getAttribute('id');
        await found.locator(`[id="${whole}"] + [role="option"]`).click();
        const chosen = add.getByRole('list', { name: 'Chosen items' }).getByRole('listitem');
        await expect(chosen.getByRole('link', { name: /^Item page of/ })).toHaveAttribute('href', /^https:/);
        await add.getByRole('button', { name: 'Add', exact: true }).last().click();
        await expect(add).toBeHidden();
        const picture = desk.inspector.getByRole('img', { name: /./ });
        await expect(picture).toBeVisible();
        await expect.poll(() => picture.evaluate(width)).toBe(200);
        await expect(desk.inspector.getByRole('link', { name: /^Item page of/ })).toBeVisible();
        await page.screenshot({ path: info.outputPath(`details-${colorScheme}.png`) });
        expect(outside, 'the window never loads an address of the service').toEqual([]);
      },
    );
  });
}

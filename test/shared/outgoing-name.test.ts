import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outgoingName } from '../../shared/media/outgoing-name.ts';

describe('the name under which a file leaves', () => {
  test.each([
    ['spot.mp4', 'video/mp4', 'spot.mp4'],
    ['Frühling 2030.mov', 'video/quicktime', 'Frühling 2030.mov'],
    ['report', 'text/csv; charset=utf-8', 'report.csv'],
    ['spot.exe', 'video/mp4', 'spot.mp4'],
    ['logo.png.exe', 'image/png', 'logo.png.png'],
    ['../../etc/passwd', 'text/csv', '_.._etc_passwd.csv'],
    ['C:\\film.mp4', 'video/mp4', 'C__film.mp4'],
    ['con.png', 'image/png', '_con.png'],
    ['a.png:ads', 'image/png', 'a.png_ads.png'],
    ['\u202egnp.exe', 'image/png', '_gnp.png'],
    ['  ...  ', 'image/png', 'file.png'],
    ['', 'application/pdf', 'file.bin'],
    ['adslate-shop-2030-01-01.adslate', 'application/zip', 'adslate-shop-2030-01-01.adslate'],
    ['team.adslate-changes', 'application/zip', 'team.adslate-changes'],
    ['team.zip', 'application/zip', 'team.zip'],
    ['team.zip', 'application/x-7z-compressed', 'team.bin'],
  ])('%j of %s is %j', (name, contentType, leaves) => expect(outgoingName(name, contentType)).toBe(leaves));

  test('is taken by every system, whatever the file was called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const leaves = outgoingName(name, 'video/mp4');
        expect(leaves).toMatch(/^[^\\/:*?"<>|]+\.mp4$/);
        expect(Buffer.byteLength(leaves)).toBeLessThanOrEqual(255);
        expect(leaves.isWellFormed()).toBe(true);
        expect(leaves).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./i);
      }),
    );
  });
});

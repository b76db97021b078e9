import type { AnyRow, Row } from '../model/row.ts';

/** What a person would call a row: a keyword's text, an item's id, a headline. */
export function rowLabel(row: Row): string {
  const any = row as AnyRow;
  switch (any.kind) {
    case 'campaign':
      return any.values.name ?? 'campaign without a name';
    case 'adGroup':
      return any.values.name ?? 'ad group without a name';
    case 'adItem':
      return any.values.itemName ?? any.values.itemId ?? 'item without an id';
    case 'keyword':
      return [any.values.text ?? 'keyword without text', any.values.matchType]
        .filter((part) => part !== null)
        .join(', ');
    case 'sbaProfile':
      return any.values.headline ?? any.values.brand ?? 'brand profile without a headline';
    case 'videoProfile':
      return 'video profile';
    case 'placementMultiplier':
      return any.values.placement ?? 'placement multiplier';
    case 'platformMultiplier':
      return any.values.platform ?? 'platform multiplier';
    case 'media':
      return any.values.mediaName ?? any.values.fileName ?? 'file without a name';
  }
}

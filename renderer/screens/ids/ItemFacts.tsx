import type { ItemFacts as Facts } from '../../../shared/contract/ids.ts';
import { enItems } from '../../messages/en-items.ts';

/**
 * Where a person sees what an item is. Neither the window nor main asks these addresses, whose hosts nobody has allowed:
 * they are links, which the browser opens when somebody clicks, and what is no https address is not even that.
 */
export function ItemFacts({ facts }: { readonly facts: Facts | undefined }) {
  const places = [
    { name: enItems.page, address: facts?.pageUrl ?? null },
    { name: enItems.picture, address: facts?.imageUrl ?? null },
  ];
  return (
    <p className="item-facts quiet">
      {places.map(({ name, address }) =>
        address === null ? null : isSecure(address) ? (
          <a key={name} href={address} title={address} target="_blank" rel="noreferrer">
            {name}
          </a>
        ) : (
          <span key={name}>
            {name}: {address}
          </span>
        ),
      )}
    </p>
  );
}

const isSecure = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'https:';

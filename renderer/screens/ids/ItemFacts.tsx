import type { ItemFacts as Facts } from '../../../shared/contract/ids.ts';
import { locale } from '../../locale/current.ts';
import { enItems } from '../../messages/en-items.ts';

/**
 * What it would cost, and where a person sees what an item is. Neither the window nor main asks these addresses, whose hosts nobody has allowed:
 * they are links, which the browser opens when somebody clicks, and what is no https address is not even that.
 */
export function ItemFacts({ facts }: { readonly facts: Facts | undefined }) {
  const places = [
    { name: enItems.page, address: facts?.pageUrl ?? null },
    { name: enItems.picture, address: facts?.imageUrl ?? null },
  ];
  const bid = facts?.suggestedBidCents ?? null;
  return (
    <p className="item-facts quiet">
      {bid !== null && <span>{enItems.suggested(locale().amount(bid))}</span>}
      {places.map(({ name, address }) =>
        address === null ? null : isSecure(address) ? (
          <a key={name} className="link" href={address} title={address} target="_blank" rel="noreferrer">
            {name}
          </a>
        ) : (
          <span key={name} className="item-address" title={address}>
            {name}: {address}
          </span>
        ),
      )}
    </p>
  );
}

const isSecure = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'https:';

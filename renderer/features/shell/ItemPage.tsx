import { enPictures } from '../../texts/en-pictures.ts';

interface ItemPageProps {
  readonly url: string | null;
  readonly name: string;
}

/** A link to the page of an item, which opens in the browser; what is no https address is none. */
export function ItemPage({ url, name }: ItemPageProps) {
  if (url === null || !URL.canParse(url) || new URL(url).protocol !== 'https:') return null;
  return (
    <a className="link" href={url} title={url} target="_blank" rel="noreferrer" aria-label={enPictures.pageOf(name)}>
      {enPictures.page}
    </a>
  );
}

import ui from './ui.module.css';

const texts = {
  page: 'Item page',
  pageOf: (name: string) => `Item page of ${name}`,
} as const;

/** A link to the page of an item, which opens in the browser. Nothing is shown for an address that is not https. */
export function ItemPage({ url, name }: { readonly url: string | null; readonly name: string }) {
  if (url === null || !URL.canParse(url) || new URL(url).protocol !== 'https:') return null;
  return (
    <a className={ui['link']} href={url} title={url} target="_blank" rel="noreferrer" aria-label={texts.pageOf(name)}>
      {texts.page}
    </a>
  );
}

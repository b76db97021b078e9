/** Texts about pictures and pages of the service. */
export const enPictures = {
  none: 'The service names no picture.',
  unfit: 'The picture cannot be shown.',
  unreachable: 'The picture cannot be loaded now.',
  host: (host: string) =>
    `Pictures from ${host} are not allowed. Add the host to picture.hosts in the deployment settings.`,
  thumbnail: (name: string) => `Thumbnail of ${name}`,
  page: 'Item page',
  pageOf: (name: string) => `Item page of ${name}`,
  variants: (count: number) => (count === 1 ? '1 variant' : `${count} variants`),
};

/** Texts about pictures and pages of the service. */
export const enPictures = {
  none: 'The service has no image.',
  unfit: "Can't show this image.",
  unreachable: "Can't load the image right now.",
  host: (host: string) =>
    `Images from ${host} are not allowed. Add the host to picture.hosts in the deployment settings.`,
  thumbnail: (name: string) => `Thumbnail of ${name}`,
  page: 'Item page',
  pageOf: (name: string) => `Item page of ${name}`,
  variants: (count: number) => (count === 1 ? '1 variant' : `${count} variants`),
};

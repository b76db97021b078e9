/** As much of what electron-builder hands over as is read. */
export default function afterPack(context: {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
  readonly packager: {
    readonly executableName: string;
    readonly config: { readonly electronFuses: Readonly<Record<string, unknown>> };
    readonly getResourcesDir: (appOutDir: string) => string;
  };
}): Promise<void>;

const WITHOUT =
  "Sign in with the fingerprint, face or PIN of a device, without the password. No code of an app is asked for then: the device has checked you already.";

export const passkeys = {
  title: "Passkeys",
  says: WITHOUT,
  saysAt: (host: string) =>
    `${WITHOUT} Passkeys work at ${host} only. If the console gets another address, sign in there with the password and add new ones.`,
  column: "Name",
  name: "Name of the passkey",
  nameExample: "My phone",
  added: "Added",
  lastUsed: "Last used",
  never: "Never",
  actions: "Actions",
  ofAnotherHost: (host: string) => `Works at ${host} only. Remove it, and add a new one for here.`,
  add: "Add a passkey",
  notMade: "No passkey was added: it was cancelled, or this device has a passkey for you already.",
  remove: "Remove",
  removeIt: (name: string) => `Remove ${name}`,
  removeTitle: "Remove this passkey?",
  removeSays: "Nobody can sign in with it any more. Your password and your other passkeys stay.",
  signIn: "Sign in with a passkey",
  givenUp: "You are not signed in: it was cancelled, or this device has no passkey for this address.",
  notAccepted: "The passkey was not accepted. Try again, or sign in with the password.",
  hindrances: {
    address: (_origin: string) =>
      "Passkeys need an address with https and a host name. Whoever runs the service sets it as BASE_URL.",
    elsewhere: (origin: string) => `Passkeys work at ${origin} only. Open the console there to use one.`,
    browser: (_origin: string) => "This browser is too old for passkeys.",
  },
};

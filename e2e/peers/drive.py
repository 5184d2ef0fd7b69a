"""Drives one simulated BMC with OpenStack's sushy and prints what sushy saw, as one JSON object."""

import json
import sys
import time

import sushy
from sushy import auth as sushy_auth

url, username, password, how, bios_attribute = sys.argv[1:6]
kinds = {"basic": sushy_auth.BasicAuth, "session": sushy_auth.SessionAuth}
auth = kinds[how](username, password)
root = sushy.Sushy(url + "/redfish/v1", auth=auth, verify=False)
system = root.get_system_collection().get_members()[0]
seen = {
    "uuid": system.uuid,
    "cpus": len(system.processors.get_members()),
    "disks": len(system.storage.get_members()[0].drives),
}


def until(state):
    for _ in range(200):
        system.refresh(force=True)
        if system.power_state == state:
            return True
        time.sleep(0.05)
    return False


seen["off"] = until(sushy.PowerState.OFF)
system.set_system_boot_options(target=sushy.BootSource.PXE, enabled=sushy.BootSourceOverrideEnabled.ONCE)
system.refresh(force=True)
seen["boot"] = [system.boot.target.value, system.boot.enabled.value]

if bios_attribute:
    system.bios.set_attribute(bios_attribute, "Disabled")
    system.bios.refresh(force=True)
    seen["pending"] = system.bios.pending_attributes.get(bios_attribute)

try:
    media = system.virtual_media.get_members()
except sushy.exceptions.MissingAttributeError:
    media = root.get_manager_collection().get_members()[0].virtual_media.get_members()
disc = next(one for one in media if sushy.VirtualMediaType.CD in one.media_types)
disc.insert_media("http://127.0.0.1/boot.iso")
disc.refresh(force=True)
seen["inserted"] = [disc.inserted, disc.image]
disc.eject_media()
disc.refresh(force=True)
seen["ejected"] = not disc.inserted

system.reset_system(sushy.ResetType.ON)
seen["on"] = until(sushy.PowerState.ON)
system.reset_system(sushy.ResetType.FORCE_OFF)
seen["off again"] = until(sushy.PowerState.OFF)
auth.close()
print(json.dumps(seen))

"""What people say and decide, whichever surface they do it at: each is on the disk before anybody is told so."""

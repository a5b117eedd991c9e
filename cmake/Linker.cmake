# mold or lld where present: linking against LibTorch is most of a small change's wait.
find_program(MOLD NAMES mold)
find_program(LLD NAMES ld.lld)
if(MOLD)
  add_link_options(-fuse-ld=mold)
elseif(LLD)
  add_link_options(-fuse-ld=lld)
endif()
